// SPDX-License-Identifier: MIT
/*
 * profiler.cc - a live profiler with threads: one measures, another stops it
 *
 *   profiler++ [SECONDS]     all metrics of RenderBasic over this time; default: 1 s
 *
 * Prints the value of each metric for the whole time, and its largest value in an interval.
 */
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gpuoa.h>

namespace
{

constexpr uint64_t period_ns = 1000000;

template <auto close> struct Closer {
	template <typename T> void operator()(T *handle) const
	{
		close(handle);
	}
};

using Unit = std::unique_ptr<gpuoa_unit, Closer<gpuoa_unit_close> >;
using Source = std::unique_ptr<gpuoa_reader, Closer<gpuoa_reader_close> >;
using Calc = std::unique_ptr<gpuoa_calc, Closer<gpuoa_calc_close> >;

struct Error : std::runtime_error {
	using std::runtime_error::runtime_error;
};

Unit open_unit()
{
	gpuoa_unit *unit;
	char error[256];

	if (gpuoa_unit_open(nullptr, &unit, error, sizeof(error)))
		throw Error(error);
	return Unit(unit);
}

const gpuoa_set *find_set(const Unit &unit, const char *symbol)
{
	const gpuoa_platform *platform = gpuoa_unit_platform(unit.get());
	const gpuoa_set *set = nullptr;

	if (platform)
		set = gpuoa_platform_find_set(platform, symbol, nullptr,
					      gpuoa_unit_constants(unit.get()));
	if (!set)
		throw Error(std::string("this GPU has no set ") + symbol);
	return set;
}

/* The longest period of the hardware that is not longer than requested */
uint32_t find_exponent(const Unit &unit)
{
	gpuoa_unit_desc desc;
	int exponent;

	gpuoa_unit_describe(unit.get(), &desc, sizeof(desc));
	exponent = gpuoa_period_to_exponent(desc.timestamp_frequency, desc.exponent_max, period_ns,
					    GPUOA_ROUNDING_DOWN);
	if (exponent < 0)
		throw Error("the GPU's timer has no such period");
	return exponent;
}

Source open_stream(const Unit &unit, const gpuoa_set *set)
{
	gpuoa_stream_options options{};
	gpuoa_reader *reader;
	char error[512];

	options.size = sizeof(options);
	options.exponent = find_exponent(unit);
	options.use_exponent = true;
	options.delivery = GPUOA_DELIVERY_PREFER_AUX;
	if (gpuoa_stream_open(unit.get(), set, &options, &reader, error, sizeof(error)))
		throw Error(error);
	return Source(reader);
}

Calc open_calc(const Unit &unit, const gpuoa_set *set, const Source &reader)
{
	gpuoa_reader_desc desc;
	gpuoa_calc *calc;
	char error[512];

	gpuoa_reader_describe(reader.get(), &desc, sizeof(desc));
	if (gpuoa_calc_open(set, gpuoa_unit_constants(unit.get()), desc.format, nullptr, &calc,
			    error, sizeof(error)))
		throw Error(error);
	return Calc(calc);
}

/* Measure until another thread disables the source. */
void measure(const Source &reader, const Calc &calc, std::vector<gpuoa_summary> &summaries)
{
	gpuoa_read_status status;
	const void *reports;
	int n;

	/* Not 0: the source is disabled and drained, or the GPU was removed. */
	while (!gpuoa_reader_wait(reader.get(), -1)) {
		while ((n = gpuoa_reader_peek(reader.get(), &reports, SIZE_MAX, &status)) > 0) {
			if (status.gap)
				gpuoa_calc_discontinuity(calc.get());
			if (status.has_clock)
				gpuoa_calc_set_time_base(calc.get(), status.clock.gpu_ticks);
			gpuoa_calc_summarize(calc.get(), reports, n, summaries.data());
		}
	}
}

void print_totals(const Calc &calc, const std::vector<gpuoa_summary> &summaries)
{
	std::vector<gpuoa_value> values(gpuoa_calc_output_count(calc.get()));
	gpuoa_output_desc column;

	if (gpuoa_calc_total(calc.get(), values.data(), nullptr, true))
		throw Error("no interval: the time was too short");
	for (size_t i = 0; !gpuoa_calc_output_describe(calc.get(), i, &column, sizeof(column)); i++)
		std::printf("%16.2f %16.2f %-10s %s\n",
			    gpuoa_value_to_double(column.type, values[i]), summaries[i].largest,
			    column.units, column.name);
	std::printf("%llu intervals\n", static_cast<unsigned long long>(summaries[0].rows));
}

void profile(double seconds)
{
	const Unit unit = open_unit();
	const gpuoa_set *set = find_set(unit, "RenderBasic");
	const Source reader = open_stream(unit, set);
	const Calc calc = open_calc(unit, set, reader);
	std::vector<gpuoa_summary> summaries(gpuoa_calc_output_count(calc.get()));

	std::thread measuring([&] { measure(reader, calc, summaries); });
	std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
	gpuoa_reader_disable(reader.get());
	measuring.join();
	print_totals(calc, summaries);
}

} // namespace

int main(int argc, char **argv)
{
	try {
		profile(argc > 1 ? std::atof(argv[1]) : 1);
	} catch (const Error &error) {
		std::fprintf(stderr, "profiler++: %s\n", error.what());
		return 1;
	}
	return 0;
}
