// SPDX-License-Identifier: MIT
/*
 * pixels.c - print the size of a PNG picture, its number of colours, and the number of pixels of
 * each given colour
 *
 * Usage: pixels PICTURE [RRGGBB ...]; prints WIDTH HEIGHT COLOURS N...
 */
#include <cairo.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define TOLERANCE 3

static int compare(const void *a, const void *b)
{
	const uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

	return (left > right) - (left < right);
}

static int channel(uint32_t colour, int number)
{
	return colour >> (8 * number) & 255;
}

static bool is_mix(uint32_t pixel, uint32_t colour, uint32_t ground)
{
	double share = -1;
	int most = 0;

	for (int i = 0; i < 3; i++) {
		const int span = channel(colour, i) - channel(ground, i);

		if (abs(span) > abs(most)) {
			most = span;
			share = (double)(channel(pixel, i) - channel(ground, i)) / span;
		}
	}
	for (int i = 0; i < 3; i++) {
		const double mixed =
			channel(ground, i) + share * (channel(colour, i) - channel(ground, i));

		if (abs(channel(pixel, i) - (int)mixed) > TOLERANCE)
			return false;
	}
	return share >= 0.5 && share < 1.02;
}

static bool is_meant(uint32_t pixel, const char *argument)
{
	char *rest;
	const uint32_t colour = strtoul(argument, &rest, 16);

	return *rest ? is_mix(pixel, colour, strtoul(rest + 1, NULL, 16)) : pixel == colour;
}

static void print_counts(uint32_t *pixels, size_t count, int argc, char **argv)
{
	size_t colours = 0;

	qsort(pixels, count, sizeof(*pixels), compare);
	for (size_t i = 0; i < count; i++)
		colours += !i || pixels[i] != pixels[i - 1];
	printf(" %zu", colours);
	for (int i = 2; i < argc; i++) {
		size_t n = 0;

		for (size_t k = 0; k < count; k++)
			n += is_meant(pixels[k], argv[i]);
		printf(" %zu", n);
	}
	puts("");
}

int main(int argc, char **argv)
{
	cairo_surface_t *surface = cairo_image_surface_create_from_png(argc > 1 ? argv[1] : "");
	const int width = cairo_image_surface_get_width(surface);
	const int height = cairo_image_surface_get_height(surface);
	const unsigned char *data = cairo_image_surface_get_data(surface);
	uint32_t *pixels = malloc((size_t)width * height * sizeof(*pixels) + 1);

	if (cairo_surface_status(surface) || !pixels) {
		fprintf(stderr, "%s: %s\n", argc > 1 ? argv[1] : "no file",
			cairo_status_to_string(cairo_surface_status(surface)));
		return 1;
	}
	for (int y = 0; y < height; y++) {
		const uint32_t *row =
			(const void *)(data + (size_t)y * cairo_image_surface_get_stride(surface));

		for (int x = 0; x < width; x++)
			pixels[(size_t)y * width + x] = row[x] & 0xffffff;
	}
	printf("%d %d", width, height);
	print_counts(pixels, (size_t)width * height, argc, argv);
	free(pixels);
	cairo_surface_destroy(surface);
	return 0;
}
