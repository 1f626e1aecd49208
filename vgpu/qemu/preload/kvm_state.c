// SPDX-License-Identifier: MIT
/*
 * kvm_state.c - a state of KVM for a QEMU that does without KVM; gpuoa-vgpu preloads it
 *
 * From version 8.1 on, x-pci-proxy-dev passes its interrupts to KVM without asking whether it is in
 * use (QEMU's hw/remote/proxy.c and accel/kvm), and then dereferences a null pointer. The file
 * descriptors of the state here are 0, QEMU's standard input, so the call fails, as it does in
 * earlier versions. If KVM is in use, QEMU replaces the pointer.
 */
#include <dlfcn.h>

/* More than any version's struct KVMState */
static char state[1 << 16];

__attribute__((constructor)) static void set_kvm_state(void)
{
	void **kvm_state = dlsym(RTLD_DEFAULT, "kvm_state");

	if (kvm_state)
		*kvm_state = state;
}
