/* draw.js - drawing of tracks and the time axis on canvases */

const view = { begin: whole.begin, end: whole.end };
let colours = {};

function readColours() {
	const style = getComputedStyle(document.documentElement);

	for (const name of ["paper", "ink", "faint", "line", "grid", "gap", "mark"])
		colours[name] = style.getPropertyValue("--" + name).trim();
	colours.series = [0, 1, 2, 3, 4, 5].map((i) => style.getPropertyValue("--series-" + i).trim());
}

/* Scale the canvas to the resolution of the screen. Returns its context, in CSS pixels. */
function prepare(canvas) {
	const ratio = window.devicePixelRatio || 1;
	const width = canvas.clientWidth, height = canvas.clientHeight;

	if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
		canvas.width = Math.round(width * ratio);
		canvas.height = Math.round(height * ratio);
	}
	const context = canvas.getContext("2d");

	context.setTransform(ratio, 0, 0, ratio, 0, 0);
	context.clearRect(0, 0, width, height);
	return { context, width, height };
}

function xOf(time, width) {
	return (time - view.begin) / (view.end - view.begin) * width;
}

/* Return the times of grid lines: round numbers, about 110 pixels apart. */
function gridTimes(width) {
	const step = niceAbove((view.end - view.begin) * 110 / Math.max(width, 110));
	const times = [];

	for (let n = Math.ceil((view.begin - whole.begin) / step); whole.begin + n * step <= view.end; n++)
		times.push(whole.begin + n * step);
	return { times, step };
}

/* Format a time with as many digits as the grid step needs. */
function axisText(time, step) {
	const power = step >= 0.05 ? 0 : step >= 5e-5 ? 1 : step >= 5e-8 ? 2 : 3;
	const scale = Math.pow(1000, power);
	let decimals = 0;

	while (decimals < 3 && Math.abs(step * scale * 10 ** decimals - Math.round(step * scale * 10 ** decimals)) > 1e-6)
		decimals++;
	return (time * scale).toFixed(decimals) + " " + ["s", "ms", "µs", "ns"][power];
}

/*
 * Return the values per column of pixels, or per step if steps are wider: from, to, minimum,
 * maximum, mean, and whether no gap precedes it.
 */
function columnsOf(unit, metric, width) {
	const columns = [];
	let last = null;

	for (let i = firstStep(unit, view.begin); i < unit.begins.length && unit.begins[i] < view.end; i++) {
		const from = xOf(unit.begins[i], width), to = xOf(unit.ends[i], width);
		const joined = i > 0 && unit.ends[i - 1] >= unit.begins[i] - 1e-12;

		if (last && joined && Math.floor(from) === last.pixel && to - last.from < 2) {
			const weight = to - from;

			last.least = Math.min(last.least, metric.leasts[i]);
			last.largest = Math.max(last.largest, metric.largests[i]);
			last.mean = (last.mean * last.weight + metric.means[i] * weight) / (last.weight + weight);
			last.weight += weight;
			last.to = to;
			continue;
		}
		last = { pixel: Math.floor(from), from, to, weight: Math.max(to - from, 1e-9), joined,
			 least: metric.leasts[i], largest: metric.largests[i], mean: metric.means[i] };
		columns.push(last);
	}
	return columns;
}

/* Split columns into runs without a gap. */
function runsOf(columns) {
	const runs = [];

	for (const column of columns) {
		if (!column.joined || !runs.length)
			runs.push([]);
		runs[runs.length - 1].push(column);
	}
	return runs;
}

function drawRun(context, run, yOf, colour, bottom) {
	context.beginPath();
	for (const c of run) {
		context.lineTo(c.from, yOf(c.largest));
		context.lineTo(c.to, yOf(c.largest));
	}
	for (const c of run.slice().reverse()) {
		context.lineTo(c.to, yOf(c.least));
		context.lineTo(c.from, yOf(c.least));
	}
	context.closePath();
	context.globalAlpha = 0.35;
	context.fillStyle = colour;
	context.fill();
	context.beginPath();
	context.moveTo(run[0].from, bottom);
	for (const c of run) {
		context.lineTo(c.from, yOf(c.mean));
		context.lineTo(c.to, yOf(c.mean));
	}
	context.lineTo(run[run.length - 1].to, bottom);
	context.globalAlpha = 0.12;
	context.fill();
	context.beginPath();
	for (const c of run) {
		context.lineTo(c.from, yOf(c.mean));
		context.lineTo(Math.max(c.to, c.from + 0.5), yOf(c.mean));
	}
	context.globalAlpha = 1;
	context.strokeStyle = colour;
	context.lineWidth = 1.4;
	context.lineJoin = "round";
	context.stroke();
}

/* Draw gaps hatched, at least 2 pixels wide. */
function drawGaps(context, unit, width, height) {
	for (const [begin, end] of unit.gaps) {
		if (end < view.begin || begin > view.end)
			continue;
		const from = xOf(begin, width), to = Math.max(xOf(end, width), from + 2);

		context.save();
		context.beginPath();
		context.rect(from, 0, to - from, height);
		context.clip();
		context.fillStyle = colours.paper;
		context.fillRect(from, 0, to - from, height);
		context.strokeStyle = colours.gap;
		context.lineWidth = to - from < 8 ? 4 : 1.5;
		context.beginPath();
		for (let x = Math.max(from, 0) - height; x < Math.min(to, width); x += 7) {
			context.moveTo(x, height);
			context.lineTo(x + height, 0);
		}
		context.stroke();
		context.restore();
	}
}

function drawMarks(context, unit, width, top, bottom) {
	context.strokeStyle = colours.mark;
	context.lineWidth = 1;
	context.setLineDash([4, 3]);
	for (const [time] of unit.marks) {
		const x = Math.round(xOf(time, width)) + 0.5;

		if (x < 0 || x > width)
			continue;
		context.beginPath();
		context.moveTo(x, top);
		context.lineTo(x, bottom);
		context.stroke();
	}
	context.setLineDash([]);
}

function drawTrack(track) {
	const { context, width, height } = prepare(track.canvas);
	const { unit, metric } = track;
	const limit = metric.relative && metric.highest <= 100.5 ? 100 : niceAbove(metric.highest || 1);
	const bottom = height - 4, top = 8;
	const yOf = (value) => bottom - Math.max(value, 0) / limit * (bottom - top);
	const colour = colours.series[track.colour % colours.series.length];

	context.strokeStyle = colours.grid;
	context.lineWidth = 1;
	for (const part of [0, 0.5, 1]) {
		const y = Math.round(yOf(limit * part)) + 0.5;

		context.beginPath();
		context.moveTo(0, y);
		context.lineTo(width, y);
		context.stroke();
	}
	for (const time of gridTimes(width).times) {
		const x = Math.round(xOf(time, width)) + 0.5;

		context.beginPath();
		context.moveTo(x, 0);
		context.lineTo(x, height);
		context.stroke();
	}
	for (const run of runsOf(columnsOf(unit, metric, width)))
		drawRun(context, run, yOf, colour, bottom);
	drawGaps(context, unit, width, height);
	drawMarks(context, unit, width, 0, height);
	context.font = "11px system-ui, sans-serif";
	context.fillStyle = colours.faint;
	context.strokeStyle = colours.paper;
	context.lineWidth = 3;
	context.textAlign = "left";
	context.textBaseline = "top";
	context.strokeText(metricText(metric, limit), 4, top + 1);
	context.fillText(metricText(metric, limit), 4, top + 1);
}

function drawAxis(canvas, unit) {
	const { context, width, height } = prepare(canvas);
	const { times, step } = gridTimes(width);
	let free = -Infinity;

	context.font = "11px system-ui, sans-serif";
	context.textBaseline = "bottom";
	context.textAlign = "center";
	context.fillStyle = colours.faint;
	for (const time of times)
		if (xOf(time, width) > 20 && xOf(time, width) < width - 20)
			context.fillText(axisText(time - whole.begin, step), xOf(time, width), height - 4);
	drawMarks(context, unit, width, 0, 14);
	context.textAlign = "left";
	context.textBaseline = "top";
	context.fillStyle = colours.mark;
	for (const [time, value] of unit.marks) {
		const x = xOf(time, width), text = String(value);

		/* Leave out a label that would overlap the previous one. */
		if (x < 0 || x > width || x < free)
			continue;
		context.fillText(text, x + 4, 1);
		free = x + 10 + context.measureText(text).width;
	}
}
