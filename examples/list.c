// SPDX-License-Identifier: MIT
/*
 * list.c - list platforms, sets of a platform, or metrics of a set. No GPU is needed
 *
 *   list                        platforms
 *   list tglgt2                 metric sets of Tiger Lake GT2
 *   list tglgt2 RenderBasic     metrics and information items of a set
 *   list tglgt2 RenderBasic.EuActive
 *                               a metric, in full
 */
#include <gpuoa.h>
#include <stdio.h>

static void list_platforms(void)
{
	for (size_t i = 0; i < gpuoa_platform_count(); i++) {
		const struct gpuoa_platform *platform = gpuoa_platform_get(i);

		printf("%-8s %s\n", gpuoa_platform_name(platform), gpuoa_platform_title(platform));
	}
}

static void list_sets(const struct gpuoa_platform *platform)
{
	for (size_t i = 0; i < gpuoa_platform_set_count(platform); i++) {
		struct gpuoa_set_desc desc;

		gpuoa_set_describe(gpuoa_platform_get_set(platform, i), &desc, sizeof(desc));
		printf("%-6s %-32s %3zu metrics  %s\n", desc.domain, desc.symbol, desc.metric_count,
		       desc.name);
	}
}

static void list_metrics(const struct gpuoa_set *set)
{
	const struct gpuoa_metric *metric;
	const struct gpuoa_info *info;

	for (size_t i = 0; (metric = gpuoa_set_get_metric(set, i)); i++) {
		struct gpuoa_metric_desc desc;

		gpuoa_metric_describe(metric, &desc, sizeof(desc));
		printf("%-32s %-10s %-8s %s\n", desc.symbol, gpuoa_semantic_name(desc.semantic),
		       desc.units, desc.description);
	}
	for (size_t i = 0; (info = gpuoa_set_get_info(set, i)); i++) {
		struct gpuoa_info_desc desc;

		gpuoa_info_describe(info, &desc, sizeof(desc));
		printf("%-32s %-10s %-8s %s\n", desc.symbol, gpuoa_info_kind_name(desc.kind),
		       desc.units, desc.description);
	}
}

static void print_metric(const struct gpuoa_metric *metric)
{
	struct gpuoa_metric_desc desc;

	gpuoa_metric_describe(metric, &desc, sizeof(desc));
	printf("%s, %s (%s)\n%s\n", desc.name, desc.units, gpuoa_type_name(desc.type),
	       desc.description);
}

int main(int argc, char **argv)
{
	const struct gpuoa_platform *platform;
	const struct gpuoa_metric *metric;
	const struct gpuoa_set *set;

	if (argc < 2) {
		list_platforms();
		return 0;
	}
	platform = gpuoa_platform_find(argv[1]);
	if (!platform) {
		fprintf(stderr, "list: there is no platform '%s'\n", argv[1]);
		return 1;
	}
	if (argc < 3) {
		list_sets(platform);
		return 0;
	}
	metric = gpuoa_platform_find_metric(platform, argv[2], NULL);
	if (metric) {
		print_metric(metric);
		return 0;
	}
	set = gpuoa_platform_find_set(platform, argv[2], NULL, NULL);
	if (!set) {
		fprintf(stderr, "list: %s has no set or metric '%s'\n", argv[1], argv[2]);
		return 1;
	}
	list_metrics(set);
	return 0;
}
