// SPDX-License-Identifier: GPL-2.0-only
/* gpuoa_metric_set.c - metric configurations, which are lists of register writes. */
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/printk.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "gpuoa_metric_set.h"
#include "gpuoa_oa.h"

static bool reg_whitelisted(const struct gpuoa_reg_range *range, u32 address)
{
	if (address % sizeof(u32))
		return false;

	for (; range->last; range++)
		if (address >= range->first && address <= range->last)
			return true;

	return false;
}

/**
 * gpuoa_regs_check() - Check a user's register writes against a whitelist.
 * @whitelist: allowed addresses, terminated by { 0, 0 }
 * @masks: bits to force to 0, terminated by { 0, 0 }
 * @regs: register writes; values are masked in place
 * @count: number of @regs
 *
 * Return: 0; -EINVAL if an address is not allowed
 */
int gpuoa_regs_check(const struct gpuoa_reg_range *whitelist, const struct gpuoa_reg_mask *masks,
		     struct gpuoa_register *regs, u32 count)
{
	const struct gpuoa_reg_mask *mask;
	u32 i;

	for (i = 0; i < count; i++) {
		if (!reg_whitelisted(whitelist, regs[i].address)) {
			pr_debug("gpuoa: register %#x may not be written\n", regs[i].address);
			return -EINVAL;
		}
		for (mask = masks; mask->mask; mask++)
			if (mask->address == regs[i].address)
				regs[i].value &= ~mask->mask;
	}

	return 0;
}

/**
 * gpuoa_uuid_valid() - Check the text form of a UUID.
 * @uuid: GPUOA_UUID_SIZE bytes
 *
 * Return: true for 8-4-4-4-12 hexadecimal digits followed by NUL
 */
bool gpuoa_uuid_valid(const char *uuid)
{
	static const char form[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
	size_t i;

	for (i = 0; i < sizeof(form) - 1; i++)
		if (form[i] == 'x' ? !isxdigit(uuid[i]) : uuid[i] != form[i])
			return false;

	return !uuid[i];
}

static bool reg_list_equal(const struct gpuoa_reg_list *a, const struct gpuoa_reg_list *b)
{
	return a->count == b->count &&
	       !memcmp(a->regs, b->regs, array_size(a->count, sizeof(*a->regs)));
}

/**
 * gpuoa_metric_set_equal() - Compare two configurations.
 * @a: first configuration
 * @b: second configuration
 *
 * Return: true if both write the same values to the same registers in the same order
 */
bool gpuoa_metric_set_equal(const struct gpuoa_metric_set *a, const struct gpuoa_metric_set *b)
{
	return a == b || (reg_list_equal(&a->mux, &b->mux) &&
			  reg_list_equal(&a->boolean, &b->boolean) &&
			  reg_list_equal(&a->flex, &b->flex));
}

static void reg_list_write(const struct gpuoa_hw *hw, const struct gpuoa_reg_list *list)
{
	u32 i;

	for (i = 0; i < list->count; i++)
		gpuoa_hw_write(hw, list->regs[i].address, list->regs[i].value);
}

/**
 * gpuoa_metric_set_write_noa() - Write the MUX and boolean counter registers.
 * @hw: OA unit
 * @set: configuration
 *
 * The boolean counters are programmed after the MUX has switched; otherwise they would count
 * signals of the previous configuration.
 *
 * Context: may sleep
 */
void gpuoa_metric_set_write_noa(const struct gpuoa_hw *hw, const struct gpuoa_metric_set *set)
{
	reg_list_write(hw, &set->mux);
	if (set->mux.count)
		gpuoa_hw_settle_mux(hw);
	reg_list_write(hw, &set->boolean);
}

/**
 * gpuoa_metric_set_program() - Write all registers of a configuration.
 * @hw: OA unit
 * @set: configuration
 *
 * Context: may sleep
 * Return: 0, or an error of the provider from the flexible EU counters
 */
int gpuoa_metric_set_program(const struct gpuoa_hw *hw, const struct gpuoa_metric_set *set)
{
	gpuoa_metric_set_write_noa(hw, set);

	return hw->oa->flex ? gpuoa_flex_write(hw, set) : 0;
}

static void metric_set_free(struct gpuoa_metric_set *set)
{
	kvfree(set->mux.regs);
	kvfree(set->boolean.regs);
	kvfree(set->flex.regs);
	kfree(set);
}

static void metric_set_release(struct kref *refcount)
{
	metric_set_free(container_of(refcount, struct gpuoa_metric_set, refcount));
}

/**
 * gpuoa_metric_set_put() - Release a reference to a configuration.
 * @set: configuration
 */
void gpuoa_metric_set_put(struct gpuoa_metric_set *set)
{
	kref_put(&set->refcount, metric_set_release);
}

static int reg_list_from_user(const struct gpuoa_reg_range *whitelist,
			      const struct gpuoa_reg_mask *masks, u64 user, u32 count,
			      struct gpuoa_reg_list *list, u32 *rejected)
{
	struct gpuoa_register *regs;
	u32 i = 0;
	int ret;

	if (!count)
		return 0;
	if (count > GPUOA_MAX_REGISTERS) {
		pr_debug("gpuoa: a list of %u registers; %u are allowed\n", count,
			 GPUOA_MAX_REGISTERS);
		return -E2BIG;
	}
	if (!whitelist) {
		pr_debug("gpuoa: flexible EU registers on hardware without them\n");
		return -EOPNOTSUPP;
	}

	regs = kvmalloc_array(count, sizeof(*regs), GFP_KERNEL_ACCOUNT);
	if (!regs)
		return -ENOMEM;
	if (copy_from_user(regs, u64_to_user_ptr(user), array_size(count, sizeof(*regs)))) {
		kvfree(regs);
		return -EFAULT;
	}

	ret = gpuoa_regs_check(whitelist, masks, regs, count);
	if (ret) {
		while (!gpuoa_regs_check(whitelist, masks, &regs[i], 1))
			i++;
		*rejected = regs[i].address;
		kvfree(regs);
		return ret;
	}
	list->regs = regs;
	list->count = count;

	return 0;
}

/**
 * gpuoa_metric_set_from_user() - Create a configuration from a user's register lists.
 * @oa: backend, with the whitelists
 * @user: register lists; @rejected is set if a register is not allowed
 *
 * Return: the configuration, without UUID and id, or an ERR_PTR: -EINVAL for three empty lists, for
 * an empty list with a pointer, or for a register that is not on the whitelist; -E2BIG for a list
 * that is too long; -EOPNOTSUPP for flexible EU registers on hardware without them; -EFAULT;
 * -ENOMEM
 */
struct gpuoa_metric_set *gpuoa_metric_set_from_user(const struct gpuoa_oa_ops *oa,
						    struct gpuoa_user_regs *user)
{
	struct gpuoa_metric_set *set;
	int ret;

	if (!user->n_mux && !user->n_boolean && !user->n_flex) {
		pr_debug("gpuoa: a configuration without any register\n");
		return ERR_PTR(-EINVAL);
	}
	if (!gpuoa_list_valid(user->n_mux, user->mux) ||
	    !gpuoa_list_valid(user->n_boolean, user->boolean) ||
	    !gpuoa_list_valid(user->n_flex, user->flex)) {
		pr_debug("gpuoa: an empty list of registers that has a pointer\n");
		return ERR_PTR(-EINVAL);
	}

	set = kzalloc(sizeof(*set), GFP_KERNEL_ACCOUNT);
	if (!set)
		return ERR_PTR(-ENOMEM);
	kref_init(&set->refcount);

	ret = reg_list_from_user(oa->mux, oa->masks, user->mux, user->n_mux, &set->mux,
				 &user->rejected);
	if (!ret)
		ret = reg_list_from_user(oa->boolean, oa->masks, user->boolean, user->n_boolean,
					 &set->boolean, &user->rejected);
	if (!ret)
		ret = reg_list_from_user(oa->flex, oa->masks, user->flex, user->n_flex,
					 &set->flex, &user->rejected);
	if (ret) {
		metric_set_free(set);
		return ERR_PTR(ret);
	}

	return set;
}

static int reg_list_dup(const struct gpuoa_reg_list *from, struct gpuoa_reg_list *to)
{
	if (!from->count)
		return 0;

	to->regs = kmemdup(from->regs, array_size(from->count, sizeof(*from->regs)), GFP_KERNEL);
	if (!to->regs)
		return -ENOMEM;
	to->count = from->count;

	return 0;
}

/**
 * gpuoa_metric_set_from_builtin() - Create a configuration from a built-in one.
 * @builtin: built-in configuration
 *
 * Return: the configuration, with UUID and without id, or an ERR_PTR: -ENOMEM
 */
struct gpuoa_metric_set *gpuoa_metric_set_from_builtin(const struct gpuoa_builtin_set *builtin)
{
	struct gpuoa_metric_set *set;

	set = kzalloc(sizeof(*set), GFP_KERNEL);
	if (!set)
		return ERR_PTR(-ENOMEM);
	kref_init(&set->refcount);
	strscpy(set->uuid, builtin->uuid, sizeof(set->uuid));
	set->builtin = true;

	if (reg_list_dup(&builtin->mux, &set->mux) ||
	    reg_list_dup(&builtin->boolean, &set->boolean) ||
	    reg_list_dup(&builtin->flex, &set->flex)) {
		metric_set_free(set);
		return ERR_PTR(-ENOMEM);
	}

	return set;
}
