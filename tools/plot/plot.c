// SPDX-License-Identifier: MIT
/*
 * plot.c - gpuoa plot: draw metrics of a recording over time
 */
#include <cairo-svg.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "plot/chart.h"

static const char help[] =
	"Usage: gpuoa plot [-s SET] [-m METRIC,...] [-o PICTURE] [--size WIDTHxHEIGHT] [--theme THEME] [FILE]\n"
	"\n"
	"Draws metrics of a recording over time: a line for the mean, a band from minimum to maximum if there are more\n"
	"reports than pixels, marks, and losses hatched. All units of the recording are drawn, or the one named by -d.\n"
	"\n"
	"  -m, --metrics LIST     these metrics, or patterns as in a shell: 'Eu*'; default: those that describe the whole GPU best\n"
	"  -o, --output PICTURE   output file, x.svg or x.png (default: FILE.svg)\n"
	"      --size WxH         in pixels, as 1600x900 (default: 1200 wide, and as high as needed)\n"
	"      --theme THEME      light or dark (default: light)\n" RECORDING_TIME_HELP
	"  -s, --set SET          evaluate as this set; needed if the recording names none\n"
	"\n"
	"Examples:\n"
	"  gpuoa plot -o game.png game.data\n"
	"  gpuoa plot -m GpuBusy,EuActive,EuStall --theme dark -o game.svg game.data\n"
	"\n"
	"For an interactive page: gpuoa report --html game.data\n";

#define WIDTH 1200
#define WIDTH_LEAST 480
#define SIZE_MOST 16384
#define TRACKS_MOST 8
#define STEPS_PER_PIXEL 4

enum plot_option {
	OPTION_SIZE = 'z' + 1,
	OPTION_THEME,
};

static const struct option longs[] = {
	RECORDING_LONGS,
	{ "output", required_argument, NULL, 'o' },
	{ "size", required_argument, NULL, OPTION_SIZE },
	{ "theme", required_argument, NULL, OPTION_THEME },
	{ 0 },
};

struct plot_options {
	struct timeseries_request request;
	char output[4096];
	bool png;
	unsigned int width;
	unsigned int height; /* 0: as high as needed */
	const struct theme *theme;
};

static int take_size(struct plot_options *options, const struct tool *tool)
{
	char behind;

	if (sscanf(optarg, "%ux%u%c", &options->width, &options->height, &behind) != 2 ||
	    options->width < WIDTH_LEAST || options->width > SIZE_MOST || !options->height ||
	    options->height > SIZE_MOST)
		return usage(
			tool,
			"--size: cannot use '%s'; give WIDTHxHEIGHT, such as 1600x900, %d to %d wide",
			optarg, WIDTH_LEAST, SIZE_MOST);
	return EXIT_OK;
}

static int take_option(void *context, const struct tool *tool, int option)
{
	struct plot_options *options = context;

	switch (option) {
	case 'o':
		if (strlen(optarg) >= sizeof(options->output))
			return usage(tool, "%s: %s", optarg, strerror(ENAMETOOLONG));
		strcpy(options->output, optarg);
		return EXIT_OK;
	case OPTION_SIZE:
		return take_size(options, tool);
	case OPTION_THEME:
		options->theme = theme_find(optarg);
		return options->theme ?
			       EXIT_OK :
			       usage(tool, "--theme: unknown theme '%s'; give light or dark",
				     optarg);
	default:
		return recording_options_take(&options->request.recording, tool, option);
	}
}

/*
 * Set the paths of input and output, and choose the picture's format by the name of the output
 * file.
 */
static int take_files(struct plot_options *options, const struct tool *tool, int argc, char **argv)
{
	const int ret = recording_options_take_file(&options->request.recording, tool, argc, argv);
	const char *ending;

	if (ret)
		return ret;
	if (!*options->output && snprintf(options->output, sizeof(options->output), "%s.svg",
					  argv[optind]) >= (int)sizeof(options->output))
		return fail("%s: %s", argv[optind], strerror(ENAMETOOLONG));
	ending = strrchr(options->output, '.');
	options->png = ending && !strcasecmp(ending, ".png");
	if (!options->png && (!ending || strcasecmp(ending, ".svg")))
		return usage(
			tool,
			"-o: cannot write '%s': unknown format; give a name that ends with .svg or .png",
			options->output);
	if (tool->format != OUTPUT_TABLE)
		return usage(tool, "plot writes no CSV or JSON; use 'gpuoa report'");
	return EXIT_OK;
}

static int parse_options(struct plot_options *options, struct tool *tool, int argc, char **argv,
			 int *exit_code)
{
	if (tool_options(tool, argc, argv, RECORDING_SHORTS "o:", longs, take_option, options,
			 exit_code) == TOOL_EXIT)
		return TOOL_EXIT;
	*exit_code = take_files(options, tool, argc, argv);
	options->request.steps = STEPS_PER_PIXEL * (options->width / 2 * 2);
	return *exit_code ? TOOL_EXIT : EXIT_OK;
}

static int save(const struct plot_options *options, cairo_surface_t *surface)
{
	cairo_status_t status;

	if (options->png) {
		status = cairo_surface_write_to_png(surface, options->output);
	} else {
		cairo_surface_finish(surface);
		status = cairo_surface_status(surface);
	}
	if (!status)
		return EXIT_OK;
	unlink(options->output);
	return fail("%s: %s", options->output, cairo_status_to_string(status));
}

static int draw_on(const struct plot_options *options, struct picture *picture,
		   cairo_surface_t *surface)
{
	cairo_status_t status = cairo_surface_status(surface);

	if (status)
		return fail("%s: %s", options->output, cairo_status_to_string(status));
	picture->cairo = cairo_create(surface);
	picture_draw(picture);
	status = cairo_status(picture->cairo);
	cairo_destroy(picture->cairo);
	return status ? fail("%s: %s", options->output, cairo_status_to_string(status)) :
			save(options, surface);
}

static int lay_out(const struct plot_options *options, const struct tool *tool,
		   struct picture *picture)
{
	picture->width = options->width;
	picture->height = options->height ? options->height :
					    picture_height(picture, PICTURE_TRACK);
	picture->track_height = picture_track_height(picture, picture->height);
	if (picture->track_height < PICTURE_TRACK_LEAST)
		return usage(tool, "--size: %zu tracks do not fit; give a height of at least %.0f",
			     picture->count, picture_height(picture, PICTURE_TRACK_LEAST));
	if (picture->height > SIZE_MOST)
		return usage(tool, "%zu tracks are too many for a picture; select fewer with -m",
			     picture->count);
	return EXIT_OK;
}

static int draw(const struct plot_options *options, const struct tool *tool,
		const struct timeseries_list *units)
{
	const char *slash = strrchr(options->request.recording.file, '/');
	struct picture picture = {
		.theme = options->theme,
		.title = slash ? slash + 1 : options->request.recording.file,
	};
	cairo_surface_t *surface;
	int ret = picture_choose(&picture, units, TRACKS_MOST);

	if (!ret)
		ret = lay_out(options, tool, &picture);
	if (!ret) {
		surface = options->png ? cairo_image_surface_create(CAIRO_FORMAT_RGB24,
								    picture.width, picture.height) :
					 cairo_svg_surface_create(options->output, picture.width,
								  picture.height);
		ret = draw_on(options, &picture, surface);
		cairo_surface_destroy(surface);
	}
	picture_free(&picture);
	return ret;
}

static int plot(struct tool *tool, int argc, char **argv)
{
	struct plot_options options = {
		.request.recording = RECORDING_WHOLE,
		.width = WIDTH,
		.theme = theme_find("light"),
	};
	struct timeseries_list units;
	int ret, drawn;

	if (parse_options(&options, tool, argc, argv, &ret) == TOOL_EXIT)
		return ret;
	/* If the file is damaged, the part that can be read is drawn. */
	ret = timeseries_read(&units, tool, &options.request);
	if (units.count) {
		drawn = draw(&options, tool, &units);
		ret = ret ? ret : drawn;
	}
	timeseries_free(&units);
	return ret;
}

int main(int argc, char **argv)
{
	struct tool tool = { .format = OUTPUT_TABLE, .command = "plot", .help = help };

	return program_run(&tool, argc, argv, plot);
}
