/* SPDX-License-Identifier: MIT */
/* Address spaces: arrays of bindings sorted by address. */
#include "gpu/gpu_vm.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/gpu_bo.h"
#include "gpu/gpu_chip.h"
#include "util/check.h"
#include "util/macros.h"

/* Addresses below are only assigned if there is no other space, so that offsets from null pointers
 * are errors. */
static const uint64_t lowest = 1 << 20;
static const uint64_t four_gib = 1ull << 32;

struct gpu_vm *gpu_vm_create(const struct gpu_chip *chip)
{
    struct gpu_vm *vm = calloc(1, sizeof *vm);

    if (!vm)
        return NULL;
    vm->refcount = 1;
    vm->size = 1ull << chip->address_bits;
    vm->next_low = lowest;
    vm->next_high = four_gib;
    return vm;
}

struct gpu_vm *gpu_vm_global(const struct gpu_chip *chip)
{
    static struct gpu_vm *global;

    if (!global)
        global = gpu_vm_create(chip); /* the reference is never dropped */
    return global ? gpu_vm_ref(global) : NULL;
}

struct gpu_vm *gpu_vm_ref(struct gpu_vm *vm)
{
    vm->refcount++;
    return vm;
}

void gpu_vm_unref(struct gpu_vm *vm)
{
    if (!vm || --vm->refcount)
        return;
    while (vm->count)
        gpu_vm_unbind(vm->bindings[vm->count - 1]);
    free(vm->bindings);
    free(vm);
}

struct gpu_binding *gpu_vm_find(const struct gpu_vm *vm, const struct gpu_bo *bo)
{
    /* Searches the shorter list: a buffer may be bound in thousands of address spaces. */
    if (vm->count < bo->binding_count) {
        for (unsigned i = 0; i < vm->count; i++) {
            if (vm->bindings[i]->bo == bo)
                return vm->bindings[i];
        }
        return NULL;
    }
    list_for_each_entry (struct gpu_binding, binding, &bo->bindings, link) {
        if (binding->vm == vm)
            return binding;
    }
    return NULL;
}

/* Returns the index of the first binding that ends after an address. */
static unsigned first_after(const struct gpu_vm *vm, uint64_t address)
{
    unsigned low = 0, high = vm->count;

    while (low < high) {
        unsigned middle = (low + high) / 2;

        if (vm->bindings[middle]->address + vm->bindings[middle]->size <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int insert(struct gpu_vm *vm, struct gpu_bo *bo, uint64_t address, uint64_t size,
                  uint64_t batch)
{
    unsigned index = first_after(vm, address);
    struct gpu_binding *binding;

    if (vm->count == vm->capacity) {
        unsigned capacity = vm->capacity ? vm->capacity * 2 : 64;
        struct gpu_binding **bindings =
            realloc(vm->bindings, capacity * sizeof(struct gpu_binding *));

        if (!bindings)
            return -ENOMEM;
        vm->bindings = bindings;
        vm->capacity = capacity;
    }
    binding = calloc(1, sizeof *binding);
    if (!binding)
        return -ENOMEM;
    binding->bo = bo;
    binding->vm = vm;
    binding->address = address;
    binding->size = size;
    binding->batch = batch;
    list_addtail(&binding->link, &bo->bindings);
    bo->binding_count++;
    memmove(vm->bindings + index + 1, vm->bindings + index,
            (vm->count - index) * sizeof *vm->bindings);
    vm->bindings[index] = binding;
    vm->count++;
    return 0;
}

void gpu_vm_unbind(struct gpu_binding *binding)
{
    struct gpu_vm *vm = binding->vm;
    unsigned index = first_after(vm, binding->address);

    CHECK(index < vm->count && vm->bindings[index] == binding);
    vm->count--;
    memmove(vm->bindings + index, vm->bindings + index + 1,
            (vm->count - index) * sizeof *vm->bindings);
    list_del(&binding->link);
    binding->bo->binding_count--;
    free(binding);
}

bool gpu_vm_is_free(const struct gpu_vm *vm, uint64_t address, uint64_t size)
{
    for (unsigned i = first_after(vm, address); i < vm->count; i++) {
        if (vm->bindings[i]->address >= address + size)
            break;
        if (vm->bindings[i]->bo->owner_count)
            return false;
    }
    return true;
}

int gpu_vm_bind_at(struct gpu_vm *vm, struct gpu_bo *bo, uint64_t address, uint64_t size,
                   uint64_t batch)
{
    unsigned index;

    if (size > vm->size || address > vm->size - size)
        return -EINVAL;
    index = first_after(vm, address);
    for (unsigned i = index; i < vm->count && vm->bindings[i]->address < address + size; i++) {
        if (vm->bindings[i]->batch == batch)
            return -ENOSPC;
    }
    while (index < vm->count && vm->bindings[index]->address < address + size)
        gpu_vm_unbind(vm->bindings[index]);
    return insert(vm, bo, address, size, batch);
}

/* Returns a free address in a range, or `end` if there is none. */
static uint64_t find_hole(const struct gpu_vm *vm, uint64_t start, uint64_t end, uint64_t size,
                          uint64_t alignment)
{
    uint64_t address = ALIGN_POT(start, alignment);

    for (unsigned i = first_after(vm, address); i < vm->count; i++) {
        const struct gpu_binding *next = vm->bindings[i];

        if (address >= end || end - address < size)
            return end;
        if (next->address >= address && next->address - address >= size)
            return address;
        address = ALIGN_POT(next->address + next->size, alignment);
    }
    return address < end && end - address >= size ? address : end;
}

/* Unbinds everything that the batch doesn't need. */
static void evict(struct gpu_vm *vm, uint64_t batch)
{
    for (unsigned i = vm->count; i-- > 0;) {
        if (vm->bindings[i]->batch != batch)
            gpu_vm_unbind(vm->bindings[i]);
    }
}

int gpu_vm_bind(struct gpu_vm *vm, struct gpu_bo *bo, uint64_t size, uint64_t alignment,
                uint64_t limit, uint64_t batch)
{
    uint64_t end = MIN2(limit, vm->size);
    bool is_high = end > four_gib;
    uint64_t *next = is_high ? &vm->next_high : &vm->next_low;
    uint64_t address = end;

    if (size < end)
        address = find_hole(vm, *next, end, size, alignment);
    if (address == end && size < end)
        address = find_hole(vm, lowest, end, size, alignment);
    if (address == end) {
        evict(vm, batch);
        address = find_hole(vm, 0, end, size, alignment);
    }
    if (address == end)
        return -ENOSPC;
    *next = address + size;
    return insert(vm, bo, address, size, batch);
}
