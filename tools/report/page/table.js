/* table.js - table of all metrics, sections of units, and initialization of the page */

function numberCell(metric, value) {
	const cell = element("td", "number", metricText(metric, value));

	cell.title = metricExact(metric, value);
	return cell;
}

function tableRow(section, metric) {
	const row = element("tr", metric.lowest === 0 && metric.highest === 0 ? "zero" : "");
	const box = element("input");
	const choice = element("td"), name = element("td"), label = element("label");

	box.type = "checkbox";
	box.addEventListener("change", () => toggle(section, metric, box.checked));
	section.boxes.set(metric, box);
	label.append(box, " ", metric.name);
	name.append(label);
	choice.append(metric.symbol);
	row.append(name, choice, numberCell(metric, metric.lowest), numberCell(metric, metric.average),
		   numberCell(metric, metric.highest), element("td", "text", metric.description));
	row.dataset.symbol = metric.symbol;
	return row;
}

function filterRows(section, text) {
	const wanted = text.toLowerCase();

	for (const [row, metric] of section.rows)
		row.hidden = !`${metric.name} ${metric.symbol} ${metric.group} ${metric.description}`
			.toLowerCase().includes(wanted);
}

function metricTable(section) {
	const table = element("table"), head = element("tr"), box = element("div", "table");
	const controls = element("div", "controls"), filter = element("input");

	for (const [text, className] of [["Metric", ""], ["Symbol", ""], ["Least", "number"],
		["Mean", "number"], ["Largest", "number"], ["What it tells", ""]])
		head.append(element("th", className, text));
	table.append(head);
	for (const metric of section.unit.metrics) {
		const row = tableRow(section, metric);

		section.rows.push([row, metric]);
		table.append(row);
	}
	filter.type = "search";
	filter.placeholder = "Find a metric";
	filter.addEventListener("input", () => filterRows(section, filter.value));
	controls.append(element("h2", "", "Metrics"), filter);
	box.append(table);
	return [controls, box];
}

function plural(count, word) {
	return `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;
}

function describe(unit) {
	const parts = [`${timeText(unit.covered)} of GPU time`, `${plural(unit.rows, "interval")} of ${timeText(unit.covered / unit.rows)}`];

	if (unit.stride > 1)
		parts.push(`each step is ${unit.stride} of them: a line for the mean, a band from least to largest`);
	if (unit.gapCount)
		parts.push(`${plural(unit.gapCount, "gap")} (hatched)`);
	if (unit.lost)
		parts.push(`${plural(unit.lost, "report")} lost`);
	if (unit.marks.length)
		parts.push(plural(unit.marks.length, "mark"));
	return parts.join(", ") + ".";
}

function addSection(unit) {
	const section = {
		unit, tracks: [], boxes: new Map(), rows: [],
		box: element("div", "tracks"),
		axis: element("canvas", "plot"),
		cursor: element("div", "cursor"),
		range: element("div", "chosen-range"),
	};
	const axis = element("div", "axis");

	section.cursor.hidden = section.range.hidden = true;
	axis.append(element("div", "label"), section.axis);
	section.box.append(axis, section.cursor, section.range);
	listen(section, section.axis);
	main.append(element("h2", "", unit.title), element("p", "", describe(unit)), section.box,
		    ...metricTable(section));
	sections.push(section);
	for (const metric of unit.metrics)
		if (metric.shown)
			toggle(section, metric, true);
}

/*
 * Apply the options in the URL's fragment, so that a view can be shared: view=0.1,0.5 in seconds,
 * metrics=EuActive,GpuBusy, at=0.25.
 */
function followAddress() {
	const wanted = new URLSearchParams(location.hash.slice(1));
	const times = (wanted.get("view") ?? "").split(",").map(Number);

	if (wanted.has("metrics"))
		for (const section of sections)
			for (const metric of section.unit.metrics)
				toggle(section, metric, wanted.get("metrics").split(",").includes(metric.symbol));
	if (times.length === 2 && times[1] > times[0])
		show(whole.begin + times[0], whole.begin + times[1]);
	if (wanted.has("at"))
		cursor = whole.begin + Number(wanted.get("at"));
}

document.querySelector("h1").textContent = page.file;
document.querySelector(".about").textContent =
	"Rates are per second of GPU time, times are seconds since the first report.";
readColours();
page.units.forEach(addSection);
document.getElementById("in").addEventListener("click", () => zoom(0.5, middle()));
document.getElementById("out").addEventListener("click", () => zoom(2, middle()));
document.getElementById("all").addEventListener("click", () => show(whole.begin, whole.end));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
	readColours();
	redraw();
});
addEventListener("resize", redraw);
addEventListener("hashchange", () => {
	followAddress();
	redraw();
});
followAddress();
draw();
document.documentElement.dataset.ready = "yes";
