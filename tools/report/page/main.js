/* main.js - user interface: tracks, table of metrics, zoom, pan, hover */

const main = document.querySelector("main");
const where = document.querySelector(".where");
const sections = [];
let cursor = null; /* time under the pointer; null: none */
let drawing = false;

function element(tag, className, text) {
	const made = document.createElement(tag);

	if (className)
		made.className = className;
	if (text !== undefined)
		made.textContent = text;
	return made;
}

function labelTrack(track) {
	const { metric, unit } = track;
	const step = cursor === null ? -1 : stepAt(unit, cursor);

	if (cursor === null) {
		track.value.textContent = metricText(metric, metric.average);
		track.range.textContent = `${metricText(metric, metric.lowest)} to ${metricText(metric, metric.highest)}`;
		return;
	}
	if (step < 0) {
		track.value.textContent = "no reports";
		track.range.textContent = "\u00a0";
		return;
	}
	track.value.textContent = metricText(metric, metric.means[step]);
	track.value.title = metricExact(metric, metric.means[step]);
	track.range.textContent = metric.leasts === metric.means ? "\u00a0" :
		`${metricText(metric, metric.leasts[step])} to ${metricText(metric, metric.largests[step])}`;
}

function placeCursor(section) {
	const canvas = section.axis;
	const x = cursor === null ? -1 : xOf(cursor, canvas.clientWidth);

	section.cursor.hidden = x < 0 || x > canvas.clientWidth;
	section.cursor.style.left = canvas.offsetLeft + x + "px";
}

function tellWhere() {
	where.textContent = cursor === null ?
		`${timeText(view.begin - whole.begin)} to ${timeText(view.end - whole.begin)}` :
		`at ${timeText(cursor - whole.begin)}`;
	where.title = cursor === null ? "" : `${cursor - whole.begin} s`;
}

function draw() {
	drawing = false;
	for (const section of sections) {
		drawAxis(section.axis, section.unit);
		for (const track of section.tracks) {
			drawTrack(track);
			labelTrack(track);
		}
		placeCursor(section);
	}
	tellWhere();
}

/* Redraw in the next frame, once for all changes. */
function redraw() {
	if (!drawing)
		requestAnimationFrame(draw);
	drawing = true;
}

function hover(time) {
	cursor = time;
	for (const section of sections) {
		section.tracks.forEach(labelTrack);
		placeCursor(section);
	}
	tellWhere();
}

function show(begin, end) {
	const all = whole.end - whole.begin;
	const length = Math.min(Math.max(end - begin, all * 1e-7, 1e-9), all);
	const from = Math.min(Math.max(begin, whole.begin), whole.end - length);

	view.begin = from;
	view.end = from + length;
	redraw();
}

function zoom(factor, around) {
	show(around - (around - view.begin) * factor, around + (view.end - around) * factor);
}

function move(part) {
	const length = (view.end - view.begin) * part;

	show(view.begin + length, view.end + length);
}

function middle() {
	return cursor ?? (view.begin + view.end) / 2;
}

function timeAt(event, canvas) {
	const box = canvas.getBoundingClientRect();

	return view.begin + (event.clientX - box.left) / box.width * (view.end - view.begin);
}

function chooseRange(section, canvas, from, to) {
	const range = section.range;

	range.hidden = from === null;
	if (from === null)
		return;
	range.style.left = canvas.offsetLeft + xOf(Math.min(from, to), canvas.clientWidth) + "px";
	range.style.width = Math.abs(xOf(to, canvas.clientWidth) - xOf(from, canvas.clientWidth)) + "px";
}

function listen(section, canvas) {
	let drag = null;

	canvas.addEventListener("wheel", (event) => {
		event.preventDefault();
		if (Math.abs(event.deltaX) > Math.abs(event.deltaY))
			move(event.deltaX / canvas.clientWidth);
		else
			zoom(Math.pow(1.0015, event.deltaY), timeAt(event, canvas));
	}, { passive: false });
	canvas.addEventListener("pointerdown", (event) => {
		canvas.setPointerCapture(event.pointerId);
		drag = { x: event.clientX, begin: view.begin, end: view.end,
			 from: event.shiftKey ? timeAt(event, canvas) : null };
		document.body.classList.toggle("dragging", !event.shiftKey);
	});
	canvas.addEventListener("pointermove", (event) => {
		if (drag && drag.from !== null) {
			chooseRange(section, canvas, drag.from, timeAt(event, canvas));
		} else if (drag) {
			const shift = (drag.x - event.clientX) / canvas.clientWidth * (drag.end - drag.begin);

			show(drag.begin + shift, drag.end + shift);
		}
		hover(timeAt(event, canvas));
	});
	canvas.addEventListener("pointerup", (event) => {
		const to = timeAt(event, canvas);

		if (drag && drag.from !== null && to !== drag.from)
			show(Math.min(drag.from, to), Math.max(drag.from, to));
		chooseRange(section, canvas, null);
		document.body.classList.remove("dragging");
		drag = null;
	});
	canvas.addEventListener("pointerleave", () => hover(null));
	canvas.addEventListener("dblclick", () => show(whole.begin, whole.end));
}

document.addEventListener("keydown", (event) => {
	const actions = {
		ArrowLeft: () => move(-0.2),
		ArrowRight: () => move(0.2),
		"+": () => zoom(0.5, middle()),
		"=": () => zoom(0.5, middle()),
		"-": () => zoom(2, middle()),
		0: () => show(whole.begin, whole.end),
	};

	if (event.target.tagName === "INPUT" || event.ctrlKey || event.metaKey || !actions[event.key])
		return;
	event.preventDefault();
	actions[event.key]();
});

function addTrack(section, metric) {
	const row = element("div", "track"), label = element("div", "label");
	const track = {
		unit: section.unit, metric, row,
		canvas: element("canvas", "plot"),
		value: element("div", "value"),
		range: element("div", "range"),
		colour: section.unit.metrics.indexOf(metric),
	};
	const name = element("div", "name", metric.name);

	row.dataset.symbol = metric.symbol;
	row.title = metric.description ? `${metric.symbol}: ${metric.description}` : metric.symbol;
	track.canvas.title = "";
	label.append(name, track.value, track.range);
	row.append(label, track.canvas);
	listen(section, track.canvas);
	section.tracks.push(track);
	sortTracks(section);
}

/* Sort tracks in the order of the metrics; neighbours get different colours. */
function sortTracks(section) {
	const order = section.unit.metrics;

	section.tracks.sort((a, b) => order.indexOf(a.metric) - order.indexOf(b.metric));
	section.tracks.forEach((track, i) => {
		track.colour = i;
		section.box.append(track.row);
	});
	redraw();
}

function toggle(section, metric, shown) {
	const index = section.tracks.findIndex((track) => track.metric === metric);

	if (shown && index < 0) {
		addTrack(section, metric);
	} else if (!shown && index >= 0) {
		section.tracks[index].row.remove();
		section.tracks.splice(index, 1);
		sortTracks(section);
	}
	const box = section.boxes.get(metric);

	if (box)
		box.checked = shown;
}
