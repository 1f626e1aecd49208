// SPDX-License-Identifier: MIT
/*
 * pci_ids.c - platform of each PCI device id
 *
 * The ids are those in Linux 7.3 (include/drm/intel/pciids.h). Platform names are those of the
 * metric definitions. Some platforms have no metrics: GT1 of gen9, GPUs older than Haswell,
 * discrete GPUs of gen12.5. The kernel does not distinguish GT2 and GT3 of Meteor Lake; Mesa's list
 * does. GT1.5 of gen9 counts as GT2, as in Mesa and the vendor's library. Wildcat Lake is a Panther
 * Lake with one slice.
 */
#include "gpu/pci_ids.h"

#include <stdlib.h>
#include <string.h>

enum {
	SNB,
	IVB,
	VLV,
	HSW,
	BDW,
	CHV,
	SKLGT1,
	SKLGT2,
	SKLGT3,
	SKLGT4,
	BXT,
	KBLGT1,
	KBLGT2,
	KBLGT3,
	KBLGT4,
	GLK,
	CFLGT1,
	CFLGT2,
	CFLGT3,
	CNL,
	ICL,
	EHL,
	TGLGT1,
	TGLGT2,
	RKL,
	DG1,
	ADL,
	ADLS,
	ADLN,
	ACMGT1,
	ACMGT2,
	ACMGT3,
	PVC,
	MTLGT2,
	MTLGT3,
	ARLGT1,
	ARLGT2,
	LNL,
	BMG,
	PTL,
	NVL,
	NVLP,
	CRI,
};

/* Names are stored in the records: such tables need no relocation. */
static const struct pci_part parts[] = {
	[SNB] = { "snb", "Sandy Bridge", false },
	[IVB] = { "ivb", "Ivy Bridge", false },
	[VLV] = { "vlv", "Valleyview", false },
	[HSW] = { "hsw", "Haswell", false },
	[BDW] = { "bdw", "Broadwell", false },
	[CHV] = { "chv", "Cherryview", false },
	[SKLGT1] = { "sklgt1", "Skylake GT1", false },
	[SKLGT2] = { "sklgt2", "Skylake GT2", false },
	[SKLGT3] = { "sklgt3", "Skylake GT3", false },
	[SKLGT4] = { "sklgt4", "Skylake GT4", false },
	[BXT] = { "bxt", "Broxton", false },
	[KBLGT1] = { "kblgt1", "Kaby Lake GT1", false },
	[KBLGT2] = { "kblgt2", "Kaby Lake GT2", false },
	[KBLGT3] = { "kblgt3", "Kaby Lake GT3", false },
	[KBLGT4] = { "kblgt4", "Kaby Lake GT4", false },
	[GLK] = { "glk", "Gemini Lake", false },
	[CFLGT1] = { "cflgt1", "Coffee Lake GT1", false },
	[CFLGT2] = { "cflgt2", "Coffee Lake GT2", false },
	[CFLGT3] = { "cflgt3", "Coffee Lake GT3", false },
	[CNL] = { "cnl", "Cannon Lake", false },
	[ICL] = { "icl", "Ice Lake", false },
	[EHL] = { "ehl", "Elkhart Lake", false },
	[TGLGT1] = { "tglgt1", "Tiger Lake GT1", false },
	[TGLGT2] = { "tglgt2", "Tiger Lake GT2", false },
	[RKL] = { "rkl", "Rocket Lake", false },
	[DG1] = { "dg1", "DG1", true },
	[ADL] = { "adl", "Alder Lake P", false },
	[ADLS] = { "adls", "Alder Lake S", false },
	[ADLN] = { "adln", "Alder Lake N", false },
	[ACMGT1] = { "acmgt1", "Alchemist GT1", true },
	[ACMGT2] = { "acmgt2", "Alchemist GT2", true },
	[ACMGT3] = { "acmgt3", "Alchemist GT3", true },
	[PVC] = { "pvc", "Ponte Vecchio", true },
	[MTLGT2] = { "mtlgt2", "Meteor Lake GT2", false },
	[MTLGT3] = { "mtlgt3", "Meteor Lake GT3", false },
	[ARLGT1] = { "arlgt1", "Arrow Lake GT1", false },
	[ARLGT2] = { "arlgt2", "Arrow Lake GT2", false },
	[LNL] = { "lnl", "Lunar Lake", false },
	[BMG] = { "bmg", "Battlemage", true },
	[PTL] = { "ptl", "Panther Lake", false },
	[NVL] = { "nvl", "Nova Lake S", false },
	[NVLP] = { "nvlp", "Nova Lake P", false },
	[CRI] = { "cri", "Crescent Island", true },
};

struct pci_gpu {
	uint16_t device;
	uint8_t part;
};

/* In the order of ids */
/* clang-format off */
static const struct pci_gpu gpus[] = {
	{ 0x0102, SNB }, { 0x0106, SNB }, { 0x010a, SNB }, { 0x0112, SNB }, { 0x0116, SNB },
	{ 0x0122, SNB }, { 0x0126, SNB }, { 0x0152, IVB }, { 0x0156, IVB }, { 0x015a, IVB },
	{ 0x0162, IVB }, { 0x0166, IVB }, { 0x016a, IVB }, { 0x0402, HSW }, { 0x0406, HSW },
	{ 0x040a, HSW }, { 0x040b, HSW }, { 0x040e, HSW }, { 0x0412, HSW }, { 0x0416, HSW },
	{ 0x041a, HSW }, { 0x041b, HSW }, { 0x041e, HSW }, { 0x0422, HSW }, { 0x0426, HSW },
	{ 0x042a, HSW }, { 0x042b, HSW }, { 0x042e, HSW }, { 0x0a02, HSW }, { 0x0a06, HSW },
	{ 0x0a0a, HSW }, { 0x0a0b, HSW }, { 0x0a0e, HSW }, { 0x0a12, HSW }, { 0x0a16, HSW },
	{ 0x0a1a, HSW }, { 0x0a1b, HSW }, { 0x0a1e, HSW }, { 0x0a22, HSW }, { 0x0a26, HSW },
	{ 0x0a2a, HSW }, { 0x0a2b, HSW }, { 0x0a2e, HSW }, { 0x0a84, BXT }, { 0x0b69, PVC },
	{ 0x0b6e, PVC }, { 0x0bd4, PVC }, { 0x0bd5, PVC }, { 0x0bd6, PVC }, { 0x0bd7, PVC },
	{ 0x0bd8, PVC }, { 0x0bd9, PVC }, { 0x0bda, PVC }, { 0x0bdb, PVC }, { 0x0be0, PVC },
	{ 0x0be1, PVC }, { 0x0be5, PVC }, { 0x0c02, HSW }, { 0x0c06, HSW }, { 0x0c0a, HSW },
	{ 0x0c0b, HSW }, { 0x0c0e, HSW }, { 0x0c12, HSW }, { 0x0c16, HSW }, { 0x0c1a, HSW },
	{ 0x0c1b, HSW }, { 0x0c1e, HSW }, { 0x0c22, HSW }, { 0x0c26, HSW }, { 0x0c2a, HSW },
	{ 0x0c2b, HSW }, { 0x0c2e, HSW }, { 0x0d02, HSW }, { 0x0d06, HSW }, { 0x0d0a, HSW },
	{ 0x0d0b, HSW }, { 0x0d0e, HSW }, { 0x0d12, HSW }, { 0x0d16, HSW }, { 0x0d1a, HSW },
	{ 0x0d1b, HSW }, { 0x0d1e, HSW }, { 0x0d22, HSW }, { 0x0d26, HSW }, { 0x0d2a, HSW },
	{ 0x0d2b, HSW }, { 0x0d2e, HSW }, { 0x0f30, VLV }, { 0x0f31, VLV }, { 0x0f32, VLV },
	{ 0x0f33, VLV }, { 0x1602, BDW }, { 0x1606, BDW }, { 0x160a, BDW }, { 0x160b, BDW },
	{ 0x160d, BDW }, { 0x160e, BDW }, { 0x1612, BDW }, { 0x1616, BDW }, { 0x161a, BDW },
	{ 0x161b, BDW }, { 0x161d, BDW }, { 0x161e, BDW }, { 0x1622, BDW }, { 0x1626, BDW },
	{ 0x162a, BDW }, { 0x162b, BDW }, { 0x162d, BDW }, { 0x162e, BDW }, { 0x1632, BDW },
	{ 0x1636, BDW }, { 0x163a, BDW }, { 0x163b, BDW }, { 0x163d, BDW }, { 0x163e, BDW },
	{ 0x1902, SKLGT1 }, { 0x1906, SKLGT1 }, { 0x190a, SKLGT1 }, { 0x190b, SKLGT1 },
	{ 0x190e, SKLGT1 }, { 0x1912, SKLGT2 }, { 0x1913, SKLGT2 }, { 0x1915, SKLGT2 },
	{ 0x1916, SKLGT2 }, { 0x1917, SKLGT2 }, { 0x191a, SKLGT2 }, { 0x191b, SKLGT2 },
	{ 0x191d, SKLGT2 }, { 0x191e, SKLGT2 }, { 0x1921, SKLGT2 }, { 0x1923, SKLGT3 },
	{ 0x1926, SKLGT3 }, { 0x1927, SKLGT3 }, { 0x192a, SKLGT4 }, { 0x192b, SKLGT3 },
	{ 0x192d, SKLGT3 }, { 0x1932, SKLGT4 }, { 0x193a, SKLGT4 }, { 0x193b, SKLGT4 },
	{ 0x193d, SKLGT4 }, { 0x1a84, BXT }, { 0x1a85, BXT }, { 0x22b0, CHV }, { 0x22b1, CHV },
	{ 0x22b2, CHV }, { 0x22b3, CHV }, { 0x3184, GLK }, { 0x3185, GLK }, { 0x3e90, CFLGT1 },
	{ 0x3e91, CFLGT2 }, { 0x3e92, CFLGT2 }, { 0x3e93, CFLGT1 }, { 0x3e94, CFLGT2 },
	{ 0x3e96, CFLGT2 }, { 0x3e98, CFLGT2 }, { 0x3e99, CFLGT1 }, { 0x3e9a, CFLGT2 },
	{ 0x3e9b, CFLGT2 }, { 0x3e9c, CFLGT1 }, { 0x3ea0, CFLGT2 }, { 0x3ea1, CFLGT1 },
	{ 0x3ea2, CFLGT3 }, { 0x3ea3, CFLGT2 }, { 0x3ea4, CFLGT1 }, { 0x3ea5, CFLGT3 },
	{ 0x3ea6, CFLGT3 }, { 0x3ea7, CFLGT3 }, { 0x3ea8, CFLGT3 }, { 0x3ea9, CFLGT2 },
	{ 0x4541, EHL }, { 0x4551, EHL }, { 0x4555, EHL }, { 0x4557, EHL }, { 0x4570, EHL },
	{ 0x4571, EHL }, { 0x4626, ADL }, { 0x4628, ADL }, { 0x462a, ADL }, { 0x4680, ADLS },
	{ 0x4682, ADLS }, { 0x4688, ADLS }, { 0x468a, ADLS }, { 0x468b, ADLS },
	{ 0x4690, ADLS }, { 0x4692, ADLS }, { 0x4693, ADLS }, { 0x46a0, ADL }, { 0x46a1, ADL },
	{ 0x46a2, ADL }, { 0x46a3, ADL }, { 0x46a6, ADL }, { 0x46a8, ADL }, { 0x46aa, ADL },
	{ 0x46b0, ADL }, { 0x46b1, ADL }, { 0x46b2, ADL }, { 0x46b3, ADL }, { 0x46c0, ADL },
	{ 0x46c1, ADL }, { 0x46c2, ADL }, { 0x46c3, ADL }, { 0x46d0, ADLN }, { 0x46d1, ADLN },
	{ 0x46d2, ADLN }, { 0x46d3, ADLN }, { 0x46d4, ADLN }, { 0x4905, DG1 }, { 0x4906, DG1 },
	{ 0x4907, DG1 }, { 0x4908, DG1 }, { 0x4909, DG1 }, { 0x4c80, RKL }, { 0x4c8a, RKL },
	{ 0x4c8b, RKL }, { 0x4c8c, RKL }, { 0x4c90, RKL }, { 0x4c9a, RKL }, { 0x4e51, EHL },
	{ 0x4e55, EHL }, { 0x4e57, EHL }, { 0x4e61, EHL }, { 0x4e71, EHL }, { 0x5690, ACMGT3 },
	{ 0x5691, ACMGT3 }, { 0x5692, ACMGT3 }, { 0x5693, ACMGT1 }, { 0x5694, ACMGT1 },
	{ 0x5695, ACMGT1 }, { 0x5696, ACMGT2 }, { 0x5697, ACMGT2 }, { 0x56a0, ACMGT3 },
	{ 0x56a1, ACMGT3 }, { 0x56a2, ACMGT3 }, { 0x56a3, ACMGT2 }, { 0x56a4, ACMGT2 },
	{ 0x56a5, ACMGT1 }, { 0x56a6, ACMGT1 }, { 0x56b0, ACMGT1 }, { 0x56b1, ACMGT1 },
	{ 0x56b2, ACMGT2 }, { 0x56b3, ACMGT2 }, { 0x56ba, ACMGT1 }, { 0x56bb, ACMGT1 },
	{ 0x56bc, ACMGT1 }, { 0x56bd, ACMGT1 }, { 0x56be, ACMGT3 }, { 0x56bf, ACMGT3 },
	{ 0x56c0, ACMGT3 }, { 0x56c1, ACMGT1 }, { 0x56c2, ACMGT3 }, { 0x5902, KBLGT1 },
	{ 0x5906, KBLGT1 }, { 0x5908, KBLGT1 }, { 0x590a, KBLGT1 }, { 0x590b, KBLGT1 },
	{ 0x590e, KBLGT1 }, { 0x5912, KBLGT2 }, { 0x5913, KBLGT2 }, { 0x5915, KBLGT2 },
	{ 0x5916, KBLGT2 }, { 0x5917, KBLGT2 }, { 0x591a, KBLGT2 }, { 0x591b, KBLGT2 },
	{ 0x591c, KBLGT2 }, { 0x591d, KBLGT2 }, { 0x591e, KBLGT2 }, { 0x5921, KBLGT2 },
	{ 0x5923, KBLGT3 }, { 0x5926, KBLGT3 }, { 0x5927, KBLGT3 }, { 0x593b, KBLGT4 },
	{ 0x5a40, CNL }, { 0x5a41, CNL }, { 0x5a42, CNL }, { 0x5a44, CNL }, { 0x5a49, CNL },
	{ 0x5a4a, CNL }, { 0x5a4c, CNL }, { 0x5a50, CNL }, { 0x5a51, CNL }, { 0x5a52, CNL },
	{ 0x5a54, CNL }, { 0x5a59, CNL }, { 0x5a5a, CNL }, { 0x5a5c, CNL }, { 0x5a84, BXT },
	{ 0x5a85, BXT }, { 0x6420, LNL }, { 0x64a0, LNL }, { 0x64b0, LNL }, { 0x674c, CRI },
	{ 0x674d, CRI }, { 0x674e, CRI }, { 0x674f, CRI }, { 0x6750, CRI }, { 0x7d40, MTLGT2 },
	{ 0x7d41, ARLGT1 }, { 0x7d45, MTLGT2 }, { 0x7d51, ARLGT2 }, { 0x7d55, MTLGT3 },
	{ 0x7d60, MTLGT2 }, { 0x7d67, ARLGT1 }, { 0x7dd1, ARLGT2 }, { 0x7dd5, MTLGT3 },
	{ 0x87c0, KBLGT2 }, { 0x87ca, CFLGT2 }, { 0x8a50, ICL }, { 0x8a51, ICL },
	{ 0x8a52, ICL }, { 0x8a53, ICL }, { 0x8a54, ICL }, { 0x8a56, ICL }, { 0x8a57, ICL },
	{ 0x8a58, ICL }, { 0x8a59, ICL }, { 0x8a5a, ICL }, { 0x8a5b, ICL }, { 0x8a5c, ICL },
	{ 0x8a5d, ICL }, { 0x8a70, ICL }, { 0x8a71, ICL }, { 0x9a40, TGLGT2 },
	{ 0x9a49, TGLGT2 }, { 0x9a59, TGLGT2 }, { 0x9a60, TGLGT1 }, { 0x9a68, TGLGT1 },
	{ 0x9a70, TGLGT1 }, { 0x9a78, TGLGT2 }, { 0x9ac0, TGLGT2 }, { 0x9ac9, TGLGT2 },
	{ 0x9ad9, TGLGT2 }, { 0x9af8, TGLGT2 }, { 0x9b21, CFLGT1 }, { 0x9b41, CFLGT2 },
	{ 0x9ba2, CFLGT1 }, { 0x9ba4, CFLGT1 }, { 0x9ba5, CFLGT1 }, { 0x9ba8, CFLGT1 },
	{ 0x9baa, CFLGT1 }, { 0x9bac, CFLGT1 }, { 0x9bc2, CFLGT2 }, { 0x9bc4, CFLGT2 },
	{ 0x9bc5, CFLGT2 }, { 0x9bc6, CFLGT2 }, { 0x9bc8, CFLGT2 }, { 0x9bca, CFLGT2 },
	{ 0x9bcc, CFLGT2 }, { 0x9be6, CFLGT2 }, { 0x9bf6, CFLGT2 }, { 0xa720, ADL },
	{ 0xa721, ADL }, { 0xa780, ADLS }, { 0xa781, ADLS }, { 0xa782, ADLS },
	{ 0xa783, ADLS }, { 0xa788, ADLS }, { 0xa789, ADLS }, { 0xa78a, ADLS },
	{ 0xa78b, ADLS }, { 0xa7a0, ADL }, { 0xa7a1, ADL }, { 0xa7a8, ADL }, { 0xa7a9, ADL },
	{ 0xa7aa, ADL }, { 0xa7ab, ADL }, { 0xa7ac, ADL }, { 0xa7ad, ADL }, { 0xb080, PTL },
	{ 0xb081, PTL }, { 0xb082, PTL }, { 0xb083, PTL }, { 0xb084, PTL }, { 0xb085, PTL },
	{ 0xb086, PTL }, { 0xb087, PTL }, { 0xb08f, PTL }, { 0xb090, PTL }, { 0xb0a0, PTL },
	{ 0xb0b0, PTL }, { 0xb640, ARLGT1 }, { 0xd740, NVL }, { 0xd741, NVL }, { 0xd742, NVL },
	{ 0xd743, NVL }, { 0xd745, NVL }, { 0xd74a, NVL }, { 0xd74b, NVL }, { 0xd750, NVLP },
	{ 0xd751, NVLP }, { 0xd752, NVLP }, { 0xd753, NVLP }, { 0xd754, NVLP },
	{ 0xd755, NVLP }, { 0xd756, NVLP }, { 0xd757, NVLP }, { 0xd75f, NVLP },
	{ 0xe202, BMG }, { 0xe209, BMG }, { 0xe20b, BMG }, { 0xe20c, BMG }, { 0xe20d, BMG },
	{ 0xe210, BMG }, { 0xe211, BMG }, { 0xe212, BMG }, { 0xe216, BMG }, { 0xe220, BMG },
	{ 0xe221, BMG }, { 0xe222, BMG }, { 0xe223, BMG }, { 0xfd80, PTL }, { 0xfd81, PTL },
};
/* clang-format on */

static int compare_device(const void *key, const void *gpu)
{
	return (int)*(const uint16_t *)key - (int)((const struct pci_gpu *)gpu)->device;
}

const struct pci_part *pci_part_find(uint16_t device)
{
	const struct pci_gpu *found = bsearch(&device, gpus, sizeof(gpus) / sizeof(gpus[0]),
					      sizeof(gpus[0]), compare_device);

	return found ? &parts[found->part] : NULL;
}

const struct pci_part *pci_part_named(const char *platform)
{
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (!strcmp(parts[i].platform, platform))
			return &parts[i];
	return NULL;
}
