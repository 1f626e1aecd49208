// SPDX-License-Identifier: MIT
/*
 * access_units_test.c - Test which facts about units, capabilities and perf determine the access of
 * a process, with a simulated kernel (fake_pmu.h).
 */
#define _GNU_SOURCE
#include "fake_pmu.h"

#include <sys/resource.h>

#include "device/access.h"
#include "tap.h"

static struct access_facts facts;

static void put_card(const char *card, const char *device, const char *driver)
{
	char path[128];

	tree_pci(device, "0x8086\n", "0x9a49\n", "0x030000\n");
	tree_driver(device, driver);
	snprintf(path, sizeof(path), TREE_PCI "%s", device);
	tree_node(card, "226:0\n", path);
	snprintf(path, sizeof(path), "sys/class/drm/%s/metrics/x", card);
	tree_file(path, "");
}

/* Remove gpuoa.ko's directory of units. */
static void unload(void)
{
	char path[PATH_MAX], away[PATH_MAX];

	tree_path("sys/class/gpuoa", path);
	tree_path("sys/class/unloaded", away);
	CHECK(!rename(path, away));
}

static void named_unit_is_opened(void)
{
	ko_begin();
	tree_file("sys/class/gpuoa/gpuoa1/x", "");
	CHECK(!access_collect("", "gpuoa0", &facts));
	CHECK_STRING(facts.unit, "gpuoa0");
	CHECK(facts.units == 2 && !facts.stock && !facts.xe);
	CHECK(facts.node_count == 1 && !facts.nodes[0].error);
	CHECK_STRING(facts.nodes[0].path, "/dev/gpuoa0");
	CHECK(fcntl(ko.node, F_GETFD) < 0); /* it was closed */
	ko.open_error = EACCES;
	CHECK(!access_collect("", "gpuoa0", &facts) && facts.nodes[0].error == EACCES);
	CHECK(access_collect("", "gpuoa7", &facts) == -ENOENT);
	ko_end();
}

static void nodes_of_all_units_are_opened_without_a_name(void)
{
	ko_begin();
	tree_file("sys/class/gpuoa/gpuoa1/x", "");
	put_card("card1", "0000:00:02.0", "i915");
	CHECK(!access_collect("", NULL, &facts));
	CHECK_STRING(facts.unit, "gpuoa0");
	CHECK(facts.node_count == 2 && !facts.nodes[0].error && facts.nodes[1].error == ENOENT);
	CHECK_STRING(facts.nodes[1].path, "/dev/gpuoa1");
	CHECK_STRING(facts.i915_units, "i915:1");
	CHECK_STRING(facts.xe_units, "");
	ko_end();
}

static void as_many_nodes_are_opened_as_can_be_listed(void)
{
	char path[64];

	ko_begin();
	for (int i = 1; i < ACCESS_NODES + 1; i++) {
		snprintf(path, sizeof(path), "sys/class/gpuoa/gpuoa%d/x", i);
		tree_file(path, "");
	}
	CHECK(!access_collect("", NULL, &facts));
	CHECK(facts.units == ACCESS_NODES + 1 && facts.node_count == ACCESS_NODES);
	snprintf(path, sizeof(path), "/dev/gpuoa%d", ACCESS_NODES - 1);
	CHECK_STRING(facts.nodes[ACCESS_NODES - 1].path, path);
	ko_end();
}

static void stock_units_are_opened_if_gpuoa_ko_has_none(void)
{
	ko_begin();
	unload();
	put_card("card1", "0000:00:02.0", "i915");
	put_card("card2", "0000:03:00.0", "i915");
	CHECK(!access_collect("", NULL, &facts));
	CHECK_STRING(facts.i915_units, "i915:1, i915:2");
	CHECK_STRING(facts.unit, "i915:1");
	CHECK(facts.stock && !facts.xe && !facts.units);
	CHECK(facts.node_count == 2 && facts.nodes[0].error);
	CHECK_STRING(facts.nodes[1].path, "/dev/dri/card2");
	CHECK(!access_collect("", "i915:2", &facts) && facts.stock && facts.node_count == 1);
	CHECK_STRING(facts.nodes[0].path, "/dev/dri/card2");
	ko_end();
	ko_begin();
	unload();
	CHECK(!access_collect("", NULL, &facts));
	CHECK(!*facts.unit && !facts.stock && !facts.xe && !facts.node_count);
	ko_end();
}

static void lease_of_the_unit_is_found(void)
{
	ko_begin();
	tree_pci("0000:00:02.0", "0x8086\n", "0x9a49\n", "0x030000\n");
	tree_driver("0000:00:02.0", "i915");
	CHECK(!access_collect("", "gpuoa0", &facts));
	CHECK(!facts.i915_lease && !facts.xe_lease);
	tree_link("sys/class/gpuoa/gpuoa0/device", TREE_PCI "0000:00:02.0");
	CHECK(!access_collect("", "gpuoa0", &facts));
	CHECK(facts.i915_lease && !facts.xe_lease);
	ko_end();
}

static void limit_of_locked_memory_is_the_soft_one(void)
{
	struct rlimit before, limit;

	REQUIRE(!getrlimit(RLIMIT_MEMLOCK, &before));
	limit = before;
	limit.rlim_cur = 12288;
	ko_begin();
	CHECK(!setrlimit(RLIMIT_MEMLOCK, &limit));
	CHECK(!access_collect("", NULL, &facts));
	CHECK(facts.memlock == 12288);
	CHECK(!setrlimit(RLIMIT_MEMLOCK, &before));
	ko_end();
}

static void gpus_are_counted(void)
{
	ko_begin();
	tree_pci("0000:00:02.0", "0x8086\n", "0x9a49\n", "0x030000\n");
	tree_pci("0000:03:00.0", "0x8086\n", "0xe20b\n", "0x030000\n");
	tree_pci("0000:04:00.0", "0x8086\n", "0xe20b\n", "0x030000\n");
	tree_link("sys/class/gpuoa/gpuoa0/device", TREE_PCI "0000:00:02.0");
	tree_file("sys/devices/platform/gpuoa_sim.0/x", "");
	tree_link("sys/class/gpuoa/gpuoa1/device", "sys/devices/platform/gpuoa_sim.0");
	CHECK(!access_collect("", NULL, &facts));
	CHECK(facts.gpus == 3);
	CHECK_STRING(facts.gpu.name, "0000:03:00.0"); /* the first one without units */
	ko_end();
}

static void collect_with(int capability)
{
	ko.capabilities = capability < 0 ? 0 : UINT64_C(1) << capability;
	CHECK(!access_collect("", NULL, &facts));
}

static void capabilities_are_the_effective_ones(void)
{
	ko_begin();
	collect_with(-1);
	CHECK(!facts.perfmon && !facts.sys_admin && !facts.ipc_lock);
	collect_with(CAP_PERFMON);
	CHECK(facts.perfmon && !facts.sys_admin && !facts.ipc_lock);
	collect_with(CAP_SYS_ADMIN);
	CHECK(facts.perfmon && facts.sys_admin && !facts.ipc_lock);
	collect_with(CAP_IPC_LOCK);
	CHECK(!facts.perfmon && !facts.sys_admin && facts.ipc_lock);
	ko_end();
}

static void event_is_opened_on_a_cpu(void)
{
	ko_begin();
	CHECK(!access_collect("", NULL, &facts) && !facts.perf);
	CHECK(ko.event_attr.type == PERF_TYPE_SOFTWARE);
	CHECK(ko.event_attr.config == PERF_COUNT_SW_DUMMY && ko.event_attr.disabled);
	CHECK(ko.pid == -1 && ko.cpu == 0 && ko.group == -1 && ko.flags == PERF_FLAG_FD_CLOEXEC);
	CHECK(fcntl(ko.event, F_GETFD) < 0); /* it was closed */
	ko.perf_error = ENOSYS;
	CHECK(!access_collect("", NULL, &facts) && facts.perf == ENOSYS);
	ko_end();
}

static void first_namespace_maps_all_ids_to_themselves(void)
{
	static const struct {
		const char *map;
		bool other;
	} maps[] = {
		{ "0 0 4294967295\n", false },
		{ "0 0 65536\n", true },
		{ "0 1 4294967295\n", true },
		{ "1 0 4294967295\n", true },
	};

	for (size_t i = 0; i < sizeof(maps) / sizeof(maps[0]); i++) {
		ko_begin();
		tree_file("proc/self/uid_map", maps[i].map);
		CHECK(!access_collect(tree_root, NULL, &facts));
		CHECK(facts.user_namespace == maps[i].other);
		ko_end();
	}
}

int main(void)
{
	RUN(named_unit_is_opened);
	RUN(nodes_of_all_units_are_opened_without_a_name);
	RUN(as_many_nodes_are_opened_as_can_be_listed);
	RUN(stock_units_are_opened_if_gpuoa_ko_has_none);
	RUN(lease_of_the_unit_is_found);
	RUN(limit_of_locked_memory_is_the_soft_one);
	RUN(gpus_are_counted);
	RUN(capabilities_are_the_effective_ones);
	RUN(event_is_opened_on_a_cpu);
	RUN(first_namespace_maps_all_ids_to_themselves);
	return tap_end();
}
