// SPDX-License-Identifier: GPL-2.0-only
/* lease.c - includes the files of kernel/lease, which each module compiles for its own driver. */
#include "../lease/lease_main.c"
#include "../lease/lease_provider.c"
#include "../lease/lease_stream.c"
#include "../lease/lease_ioctl.c"
#include "../lease/lease_clock.c"
