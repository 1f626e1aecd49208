/* SPDX-License-Identifier: MIT */
/*
 * firmware.h - images of firmware for drivers that do not bind without one.
 */
#ifndef VGPU_FIRMWARE_H
#define VGPU_FIRMWARE_H

int vgpu_firmware_write(const char *directory);

#endif /* VGPU_FIRMWARE_H */
