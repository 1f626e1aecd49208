// SPDX-License-Identifier: MIT
/* igdml_test.c - libigdml.so.1 as Level Zero's driver loads and calls it */
#include <dlfcn.h>
#include <stdint.h>

#include "lib/tests/tap.h"

struct client {
	uint32_t api;
	uint32_t generation;
};

struct handle {
	void *data;
};

static uint32_t (*create)(struct client client, void *data, struct handle *handle);
static uint32_t (*destroy)(struct handle handle);

static void functions_of_the_driver_are_exported(void)
{
	void *library = dlopen(IGDML_PATH, RTLD_NOW);

	REQUIRE(library != NULL);
	*(void **)&create = dlsym(library, "ContextCreate_1_0");
	*(void **)&destroy = dlsym(library, "ContextDelete_1_0");
	CHECK(create && destroy);
}

static void context_is_not_supported(void)
{
	const struct client client = { 1, 2 };
	struct handle handle = { &handle };
	int data;

	REQUIRE(create && destroy);
	CHECK(create(client, &data, &handle) == 8);
	CHECK(!handle.data);
	CHECK(create(client, NULL, &handle) == 10);
	CHECK(create(client, &data, NULL) == 10);
	CHECK(destroy(handle) == 10);
	handle.data = &data;
	CHECK(destroy(handle) == 5);
}

int main(void)
{
	RUN(functions_of_the_driver_are_exported);
	RUN(context_is_not_supported);
	return tap_end();
}
