"use strict";

/* data.js - decode the recording once, and look up values in it */

const page = JSON.parse(document.getElementById("data").textContent);

function bytes(text) {
	const raw = atob(text);
	const array = new Uint8Array(raw.length);

	for (let i = 0; i < raw.length; i++)
		array[i] = raw.charCodeAt(i);
	return array.buffer;
}

/*
 * Constant metrics have no arrays. Steps of one row have no arrays of minimum and maximum, which
 * equal the mean.
 */
function decodeMetric(metric, count) {
	if (metric.mean === undefined) {
		metric.means = new Float32Array(count).fill(metric.lowest ?? 0);
		metric.leasts = metric.largests = metric.means;
		return;
	}
	metric.means = new Float32Array(bytes(metric.mean));
	metric.leasts = metric.least ? new Float32Array(bytes(metric.least)) : metric.means;
	metric.largests = metric.largest ? new Float32Array(bytes(metric.largest)) : metric.means;
}

for (const unit of page.units) {
	unit.begins = new Float64Array(bytes(unit.begin));
	unit.ends = new Float64Array(bytes(unit.end));
	for (const metric of unit.metrics)
		decodeMetric(metric, unit.begins.length);
}

const whole = {
	begin: Math.min(...page.units.map((unit) => unit.begins[0])),
	end: Math.max(...page.units.map((unit) => unit.ends[unit.ends.length - 1])),
};

/* Return the first step that ends after a time. */
function firstStep(unit, time) {
	let low = 0, high = unit.ends.length;

	while (low < high) {
		const middle = (low + high) >> 1;

		if (unit.ends[middle] > time)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* Return the step at a time; -1: there is a gap. */
function stepAt(unit, time) {
	const step = firstStep(unit, time);

	if (step === unit.begins.length || unit.begins[step] > time)
		return -1;
	return unit.gaps.some(([begin, end]) => time >= begin && time < end) ? -1 : step;
}

const prefixes = ["p", "n", "µ", "m", "", "k", "M", "G", "T", "P", "E"];

function digits(value) {
	const magnitude = Math.abs(value);

	return value.toFixed(magnitude < 9.995 ? 2 : magnitude < 99.95 ? 1 : 0);
}

/* Format a value with a prefix and the unit: "1.20 GHz", "3.40 M threads/s", "52.8 %". */
function withUnit(value, unit, isWord, relative) {
	let power = 4, shown = value;

	if (relative || value === 0)
		return (value === 0 ? "0" : digits(value)) + (unit ? " " + unit : "");
	while (Math.abs(shown) >= 999.5 && power < prefixes.length - 1) {
		shown /= 1000;
		power++;
	}
	while (Math.abs(shown) < 0.9995 && power > 0) {
		shown *= 1000;
		power--;
	}
	const space = isWord && prefixes[power] && unit ? " " : "";

	return (digits(shown) + " " + prefixes[power] + space + unit).trimEnd();
}

function metricText(metric, value) {
	return withUnit(value, metric.unit, metric.word, metric.relative);
}

/* Format a value with all significant digits of a float. */
function metricExact(metric, value) {
	return `${Number(value.toPrecision(7))} ${metric.unit}`.trimEnd();
}

function timeText(seconds) {
	return withUnit(seconds, "s", false, false);
}

/* Round up to 1, 2, 2.5 or 5 times a power of ten. */
function niceAbove(value) {
	const power = Math.pow(10, Math.floor(Math.log10(value)));

	for (const factor of [1, 2, 2.5, 5, 10])
		if (factor * power >= value * 0.999999)
			return factor * power;
	return 10 * power;
}
