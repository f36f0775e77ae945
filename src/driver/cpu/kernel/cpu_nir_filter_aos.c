/* SPDX-License-Identifier: MIT */
/*
 * Filters texels of four floats or half floats in their memory layout: each lane loads whole
 * texels, filters them as arrays of structures, and only the results are transposed. If a texture
 * is not rotated, as when an image is drawn to another or presented, the texels of a 4×4 block of
 * pixels form a grid of four columns and four rows, plus the next ones. Then 16 offsets are enough
 * for the 64 texels of the block, or 12 for the 32 texels of half a block.
 */
#include "driver/cpu/kernel/cpu_nir_filter.h"

bool cpu_can_filter_aos(const struct cpu_sample *s)
{
    const struct drv_format_desc *desc = cpu_sample_desc(s);

    if (s->dims < 2 || s->sample || s->key->reduction || s->tex->op == nir_texop_tg4 ||
        (s->key->min_filter != DRV_FILTER_LINEAR && s->key->mag_filter != DRV_FILTER_LINEAR) ||
        __builtin_popcount(nir_def_components_read(&s->tex->def)) < 3 || !cpu_reads_no_border(s))
        return false;
    if (desc->nr_channels < 4 || desc->block_bytes < 8 || desc->colorspace != DRV_COLORSPACE_RGB)
        return false;
    for (unsigned i = 0; i < 4; i++)
        if (desc->channel[i].type != DRV_CHANNEL_FLOAT ||
            desc->channel[i].shift != i * desc->block_bytes * 2)
            return false;
    return true;
}

static nir_alu_type aos_type(const struct cpu_sample *s)
{
    return cpu_sample_desc(s)->block_bytes == 8 ? nir_type_float16 : nir_type_float32;
}

void cpu_filter_aos(struct cpu_sample *s, const struct cpu_footprint *f, nir_def *channel[4])
{
    nir_builder *b = s->b;
    const unsigned bytes = cpu_sample_desc(s)->block_bytes;
    nir_def *offset[4], *mixed[2];

    for (unsigned i = 0; i < 4; i++)
        offset[i] = nir_imul_imm(b, nir_iadd(b, f->column[i & 1], f->row[i >> 1]), bytes);
    for (unsigned z = 0; z < s->dims - 1; z++)
        mixed[z] = nir_load_global_bilinear(b, f->base[z], nir_vec(b, offset, 4),
                                            nir_vec2(b, f->axis[0].weight, f->axis[1].weight),
                                            .dest_type = aos_type(s));
    for (unsigned c = 0; c < 4; c++) {
        channel[c] = nir_channel(b, mixed[0], c);
        if (s->dims > 2)
            channel[c] =
                cpu_sample_mix(s, channel[c], nir_channel(b, mixed[1], c), f->axis[2].weight);
    }
}

/* ------------------------------------------------------------------------------------ grids --- */

bool cpu_sample_may_have_grid(const struct cpu_sample *s)
{
    return s->kb->adjacent_pixels && !s->kb->compact && s->kb->lanes >= 8 && s->dims == 2 &&
           !s->layer && !s->levels_differ && !s->not_grid && cpu_can_filter_aos(s);
}

struct grid {
    nir_def *offset[2]; /* offsets of columns, of rows: as in load_global_bilinear_grid */
    /* 1 bit: the lane reads the same columns and rows of texels as the first lanes of its column
     * and row */
    nir_def *fits;
    nir_def *weight[2]; /* weights of the second column and row, per lane */
};

/* How lanes of a 16-lane block are assigned to columns and rows of texels, for
 * load_global_bilinear_grid. */
struct grid_lanes {
    nir_def *is_row;   /* 1 bit: the lane computes a row, otherwise a column */
    nir_def *second;   /* 0 or 1: which tap the lane computes */
    nir_def *from;     /* lane of a pixel in that column or row; plus 16 for rows */
    nir_def *first[2]; /* the first lane in this lane's column of pixels, and in its row */
};

static struct grid_lanes find_grid_lanes(struct cpu_sample *s)
{
    nir_builder *b = s->b;
    struct cpu_saved_cursor saved = cpu_kernel_enter_prologue(s->kb);
    nir_def *lane = nir_load_subgroup_invocation(b), *row = nir_iand_imm(b, lane, 8);
    struct grid_lanes lanes = {
        .is_row = nir_ine_imm(b, row, 0),
        .second = nir_iand_imm(b, nir_ushr_imm(b, lane, 2), 1),
        .first = {nir_iand_imm(b, lane, 5), nir_iand_imm(b, lane, 10)},
    };
    nir_def *column = nir_iadd(b, nir_iand_imm(b, lane, 3), nir_iand_imm(b, lane, 2));
    lanes.from =
        nir_bcsel(b, lanes.is_row, nir_iadd_imm(b, nir_iadd(b, column, column), 16), column);
    cpu_kernel_leave_prologue(s->kb, saved);
    return lanes;
}

/* Returns `column` in lanes that compute a column of texels, `row` in the others. */
static nir_def *select_axis(nir_builder *b, const struct grid_lanes *lanes, nir_def *column,
                            nir_def *row)
{
    return nir_bcsel(b, lanes->is_row, row, column);
}

/* Wraps the coordinates, for both axes at once if they wrap alike. */
static nir_def *wrap_grid(struct cpu_sample *s, const struct cpu_level_def *level,
                          const struct grid_lanes *lanes, nir_def *number)
{
    nir_builder *b = s->b;
    struct cpu_level_def size = *level;

    if (s->key->wrap_s == s->key->wrap_t && s->key->pot_w == s->key->pot_h &&
        !s->offset[0] == !s->offset[1]) {
        size.width = select_axis(b, lanes, level->width, level->height);
        return cpu_wrap_index(s, &size, 0, number);
    }
    return select_axis(b, lanes, cpu_wrap_index(s, level, 0, number),
                       cpu_wrap_index(s, level, 1, number));
}

static nir_def *column_offset(const struct cpu_sample *s, nir_def *x)
{
    return nir_imul_imm(s->b, cpu_texel_column(s->b, x), cpu_sample_desc(s)->block_bytes);
}

/* Returns the byte offset of row y's entry in the table of rows. */
static nir_def *row_offset(const struct cpu_sample *s, nir_def *y)
{
    return nir_ishl_imm(s->b, y, 2);
}

/* Computes everything before it is known whether the texels form a grid, so that this is known
 * early. */
static void locate_grid_of_block(struct cpu_sample *s, const struct cpu_level_def *level,
                                 nir_def *const number[2], struct grid *grid)
{
    nir_builder *b = s->b;
    const struct grid_lanes lanes = find_grid_lanes(s);
    nir_def *same[2];

    for (unsigned a = 0; a < 2; a++)
        same[a] = nir_ieq(b, number[a], nir_lookup_lanes(b, number[a], lanes.first[a]));
    nir_def *both = nir_lookup_lanes(b, nir_vec2(b, number[0], number[1]), lanes.from);
    nir_def *index = wrap_grid(s, level, &lanes, nir_iadd(b, both, lanes.second));
    nir_def *offset = nir_bcsel(
        b, nir_iand(b, same[0], same[1]),
        select_axis(b, &lanes, column_offset(s, index), row_offset(s, index)), nir_imm_int(b, -1));
    grid->offset[0] = grid->offset[1] = offset;
    grid->fits = nir_ige_imm(b, offset, 0);
}

/* Computes the grid of half a block. Its lanes suffice for all columns and all rows: the lanes
 * of the second row of pixels compute the second columns, those of the second column the second
 * rows. */
static void locate_grid_of_half(struct cpu_sample *s, const struct cpu_level_def *level,
                                nir_def *const number[2], struct grid *grid)
{
    nir_builder *b = s->b;
    struct cpu_saved_cursor saved = cpu_kernel_enter_prologue(s->kb);
    nir_def *lane = nir_load_subgroup_invocation(b), *in_row = nir_iand_imm(b, lane, 2);
    nir_def *second[2] = {nir_ushr_imm(b, in_row, 1), nir_iand_imm(b, lane, 1)}, *index[2];
    cpu_kernel_leave_prologue(s->kb, saved);

    nir_def *column = nir_ieq(b, number[0], nir_quad_swap_vertical(b, number[0]));
    nir_def *row = nir_ieq(b, number[1], nir_lookup_lanes(b, number[1], in_row));
    grid->fits = nir_iand(b, column, row);
    for (unsigned a = 0; a < 2; a++)
        index[a] = cpu_wrap_index(s, level, a, nir_iadd(b, number[a], second[a]));
    grid->offset[0] = column_offset(s, index[0]);
    grid->offset[1] = row_offset(s, index[1]);
}

static void locate_grid(struct cpu_sample *s, const struct cpu_level_def *level, struct grid *grid)
{
    nir_def *number[2];

    for (unsigned a = 0; a < 2; a++) {
        const struct cpu_axis_texels axis = cpu_wrap_axis(s, level, a, true);
        number[a] = axis.unwrapped;
        grid->weight[a] = axis.weight;
    }
    if (s->kb->block)
        locate_grid_of_block(s, level, number, grid);
    else
        locate_grid_of_half(s, level, number, grid);
}

/* Returns 1 bit, uniform: the texels form a grid. Lanes use offsets that other lanes computed, so
 * all lanes must be active. */
static nir_def *is_grid(const struct cpu_sample *s, nir_def *fits)
{
    return nir_ieq_imm(s->b, nir_ballot(s->b, 1, 32, fits), (1 << s->kb->lanes) - 1);
}

static void filter_grid(struct cpu_sample *s, const struct cpu_level_def *level,
                        const struct grid *grid, nir_def *channel[4])
{
    nir_builder *b = s->b;
    nir_def *mixed = nir_load_global_bilinear_grid(b, cpu_level_base(s, level, NULL), level->rows,
                                                   nir_vec2(b, grid->offset[0], grid->offset[1]),
                                                   nir_vec2(b, grid->weight[0], grid->weight[1]),
                                                   .dest_type = aos_type(s));

    for (unsigned c = 0; c < 4; c++)
        channel[c] = nir_channel(b, mixed, c);
}

void cpu_filter_by_grid(struct cpu_sample *s, const struct cpu_level_def *level,
                        nir_def *channel[4])
{
    nir_builder *b = s->b;
    struct cpu_footprint f = {{{{NULL}}}};
    struct grid grid;
    nir_def *from_grid[4];

    locate_grid(s, level, &grid);
    nir_push_if(b, is_grid(s, grid.fits));
    filter_grid(s, level, &grid, from_grid);
    nir_push_else(b, NULL);
    cpu_locate_footprint(s, level, true, &f);
    cpu_filter_aos(s, &f, channel);
    nir_pop_if(b, NULL);
    for (unsigned c = 0; c < 4; c++)
        channel[c] = nir_if_phi(b, from_grid[c], channel[c]);
}

void cpu_sample_begin_two_grids(struct cpu_sample *s, const struct cpu_level_def level[2],
                                nir_def *differs, nir_def *share, nir_def *mixed[4])
{
    nir_builder *b = s->b;
    struct grid grid[2];
    nir_def *channel[2][4];

    for (unsigned i = 0; i < 2; i++)
        locate_grid(s, &level[i], &grid[i]);
    nir_def *fits = nir_iand(b, grid[0].fits, grid[1].fits);
    nir_push_if(b, is_grid(s, nir_iand(b, nir_ieq_imm(b, differs, 0), fits)));
    for (unsigned i = 0; i < 2; i++)
        filter_grid(s, &level[i], &grid[i], channel[i]);
    cpu_sample_mix_levels(s, channel[0], channel[1], share, mixed);
    nir_push_else(b, NULL);
}
