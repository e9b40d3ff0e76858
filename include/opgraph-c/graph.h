/*===- opgraph-c/graph.h - Building operation graphs ---------------------===*/
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   */
/*===---------------------------------------------------------------------===*/
/*
 * An og_graph is a list of tensors and of operations on them. A user declares
 * input tensors, adds operations by name, marks results as outputs, and calls
 * og_graph_validate, which fills everything left unset. From there plans are
 * made and built with opgraph-c/compiler.h.
 *
 * A graph belongs to one thread at a time; it may move between threads. Once
 * planning has started the graph is frozen: reading stays legal, every change
 * fails with OG_FROZEN and a text that names it.
 *
 * Strings and arrays that a function here returns belong to the graph and are
 * valid until the next call on the same graph that is not a pure getter, or
 * until the next call of the same function, whichever is first.
 */

#ifndef OPGRAPH_C_GRAPH_H
#define OPGRAPH_C_GRAPH_H

#include "opgraph-c/status.h"
#include "opgraph-c/types.h"

OG_BEGIN_DECLS

/** The compiler that graphs live in; see opgraph-c/compiler.h. */
typedef struct og_compiler og_compiler;

/** A graph under construction, or planned. */
typedef struct og_graph og_graph;

/** A tensor of one graph: its number, counted from 0 in order of creation. */
typedef int32_t og_tensor;

/** No tensor: a result that an operation does not have, or no argument. */
#define OG_NO_TENSOR (-1)

/** The largest number of characters of .mlir text that is parsed. */
#define OG_MAX_GRAPH_TEXT ((size_t)64 << 20)

/** The deepest nesting of brackets in .mlir text that is parsed. */
#define OG_MAX_GRAPH_NESTING 256

/*===---------------------------------------------------------------------===*/
/* Graphs                                                                    */
/*===---------------------------------------------------------------------===*/

/** What og_graph_create may be told. All zero but struct_size is valid. */
typedef struct og_graph_options {
  /** sizeof(og_graph_options), set by the caller. */
  size_t struct_size;
  /** A label; null means "graph". Any text: it is made a symbol name. */
  const char *name;
  /** og_dtype of non-virtual tensors that declare none. */
  int32_t io_dtype;
  /** og_dtype of virtual tensors that declare none; NOT_SET takes io_dtype. */
  int32_t intermediate_dtype;
  /** og_dtype operations compute in unless they say; NOT_SET means FLOAT. */
  int32_t compute_dtype;
  /** 1: extents and strides may be overridden at a call (og_override). */
  int32_t dynamic;
} og_graph_options;

/** Makes an empty graph. `options` may be null. The graph keeps the compiler
 * alive. `*out` is null on failure. */
OG_API og_status og_graph_create(og_compiler *compiler,
                                 const og_graph_options *options,
                                 og_graph **out);

/**
 * Makes a graph from .mlir text (`size` bytes, no final NUL needed): one
 * module with exactly one graph.graph, or the one named `symbol` when that is
 * not null. The result is validated, its operations and tensors can be read;
 * it cannot be changed. OG_PARSE_ERROR (line and column first in the text),
 * OG_INVALID_VALUE and the other statuses of og_graph_validate for text that
 * breaks a rule of an operation.
 */
OG_API og_status og_graph_parse(og_compiler *compiler, const char *text,
                                size_t size, const char *symbol,
                                og_graph **out);

/** As og_graph_parse, from a file. Also OG_IO_ERROR. */
OG_API og_status og_graph_parse_file(og_compiler *compiler, const char *path,
                                     const char *symbol, og_graph **out);

/** Frees the graph and its plan list; plans taken from it live on. Null is
 * ignored. */
OG_API void og_graph_release(og_graph *graph);

/** The label given at creation. "" for null. */
OG_API const char *og_graph_name(const og_graph *graph);

/** Options as in force (defaults filled in). */
OG_API og_status og_graph_get_options(const og_graph *graph,
                                      og_graph_options *out);

/** Changes the default dtypes; NOT_SET leaves one as it is. */
OG_API og_status og_graph_set_default_dtypes(og_graph *graph, int32_t io,
                                             int32_t intermediate,
                                             int32_t compute);

/** 1 after a successful og_graph_validate, or parse, and no change since. */
OG_API int32_t og_graph_is_validated(const og_graph *graph);

/** 1 once planning has started. */
OG_API int32_t og_graph_is_frozen(const og_graph *graph);

/**
 * Checks the graph and fills what was left unset: per operation in order of
 * insertion, its constraints, then extents, strides and dtypes of its results;
 * default dtypes.
 *
 * OG_ATTRIBUTE_NOT_SET: something required is missing (an operand, extents, a
 * graph without operations or outputs); OG_SHAPE_DEDUCTION: extents or strides
 * do not fit together; OG_INVALID_VALUE: a value outside its domain, a uid used
 * twice; OG_UNSUPPORTED: well formed, but no definition covers it. The text
 * names operation, rule, expected and actual.
 */
OG_API og_status og_graph_validate(og_graph *graph);

/** The graph as .mlir text (validates first). og_graph_parse reads it back. */
OG_API og_status og_graph_print(og_graph *graph, const char **text,
                                size_t *size);

/*===---------------------------------------------------------------------===*/
/* Tensors                                                                   */
/*===---------------------------------------------------------------------===*/

/** The kinds of an og_value. */
typedef enum og_value_kind {
  OG_VALUE_NONE = 0,
  OG_VALUE_I64 = 1,
  OG_VALUE_F64 = 2,
  /** In `i64`: 0 is false. */
  OG_VALUE_BOOL = 3,
  /** `string`: a text, or a member of an enumeration by its name as in .mlir
   * text ("bottom_right") or as the peers spell it ("BOTTOM_RIGHT"). */
  OG_VALUE_STRING = 4,
  /** `array` with `size` elements. */
  OG_VALUE_I64_ARRAY = 5,
  /** In `i64`: an og_dtype. */
  OG_VALUE_DTYPE = 6
} og_value_kind;

/** A typed value: exactly the field that `kind` names is read. */
typedef struct og_value {
  /** An og_value_kind. */
  int32_t kind;
  int32_t reserved;
  int64_t i64;
  double f64;
  const char *string;
  const int64_t *array;
  size_t size;
} og_value;

/** Declares a tensor. All zero but struct_size is valid: nothing known. */
typedef struct og_tensor_desc {
  /** sizeof(og_tensor_desc), set by the caller. */
  size_t struct_size;
  /** A label, need not be unique; null means "tensor_<n>". */
  const char *name;
  /** An og_dtype; NOT_SET takes the graph's default. */
  int32_t dtype;
  /** Number of extents when `dims` is given. */
  int32_t ndim;
  /** `ndim` extents, OG_DYNAMIC for a symbolic one; null leaves them unset. */
  const int64_t *dims;
  /** `ndim` strides in elements, OG_DYNAMIC when known at a call only; null
   * means packed row-major for an input. */
  const int64_t *strides;
  /** `ndim` names, null or "" on static axes. A dynamic extent without a name
   * gets one of its own. Null: no names. */
  const char *const *symbols;
} og_tensor_desc;

/** Adds a tensor that no operation makes: an input. */
OG_API og_status og_graph_tensor(og_graph *graph, const og_tensor_desc *desc,
                                 og_tensor *out);

/**
 * Adds a scalar of rank 1, one element, and of `dtype` (NOT_SET: FLOAT for an
 * F64 value, BOOLEAN for BOOL, INT32 for an I64 one that fits, else INT64). As
 * `constant` it is part of the graph and of no variant pack; otherwise it is a
 * by-value input with `value` as default.
 */
OG_API og_status og_graph_scalar(og_graph *graph, const og_value *value,
                                 int32_t dtype, int32_t constant,
                                 const char *name, og_tensor *out);

/* Setters. All fail with OG_OUT_OF_RANGE for a number that is no tensor, with
 * OG_FROZEN after planning, and with OG_INVALID_VALUE for a value outside its
 * domain; the tensor is then unchanged. Arrays and strings are copied. */

/** The label; need not be unique. */
OG_API og_status og_tensor_set_name(og_graph *graph, og_tensor tensor,
                                    const char *name);
/** An og_dtype; NOT_SET takes the graph's default. OG_UNSUPPORTED for one that
 * no tensor has yet. */
OG_API og_status og_tensor_set_dtype(og_graph *graph, og_tensor tensor,
                                     int32_t dtype);
/** `ndim` extents, at most OG_MAX_RANK, each at least 0 or OG_DYNAMIC. */
OG_API og_status og_tensor_set_dims(og_graph *graph, og_tensor tensor,
                                    int32_t ndim, const int64_t *dims);
/** `ndim` strides in elements, each at least 0 or OG_DYNAMIC. */
OG_API og_status og_tensor_set_strides(og_graph *graph, og_tensor tensor,
                                       int32_t ndim, const int64_t *strides);
/** Packed, in this memory order, slowest axis first; instead of strides. */
OG_API og_status og_tensor_set_order(og_graph *graph, og_tensor tensor,
                                     int32_t ndim, const int64_t *order);
/** `ndim` names of dynamic extents, null or "" on static axes; extents of one
 * name are equal in every call. */
OG_API og_status og_tensor_set_symbols(og_graph *graph, og_tensor tensor,
                                       int32_t ndim,
                                       const char *const *symbols);
/** Every tensor has a uid from the start: the lowest free number from 1 upward.
 * A chosen one is at least 0; an automatic holder of it is renumbered, one that
 * another tensor chose is OG_ALREADY_EXISTS. */
OG_API og_status og_tensor_set_uid(og_graph *graph, og_tensor tensor,
                                   int64_t uid);
/** A result starts virtual (inside the graph); 0 makes it an output. */
OG_API og_status og_tensor_set_virtual(og_graph *graph, og_tensor tensor,
                                       int32_t is_virtual);
/** 1: a scalar in host memory, read at each call. */
OG_API og_status og_tensor_set_by_value(og_graph *graph, og_tensor tensor,
                                        int32_t by_value);
/** The value of a by-value input that a call does not give; kind NONE takes
 * it away. */
OG_API og_status og_tensor_set_default(og_graph *graph, og_tensor tensor,
                                       const og_value *value);
/** Bytes of pointer alignment promised: a power of two up to
 * OG_MAX_ALIGNMENT. Default 16. */
OG_API og_status og_tensor_set_alignment(og_graph *graph, og_tensor tensor,
                                         int64_t bytes);
/** 0 NONE, 1 INT8x32, 2 F16x16, 3 F8_128x4. */
OG_API og_status og_tensor_set_reordering(og_graph *graph, og_tensor tensor,
                                          int32_t reordering);
/** Packed sequences: `offset`, an input, holds where each starts, times
 * `multiplier`. OG_NO_TENSOR takes it away. Every operation that reads or makes
 * the tensor reads `offset` too, as its operand "ragged_offset_<port>"; one
 * without that operand is refused by og_graph_validate. */
OG_API og_status og_tensor_set_ragged_offset(og_graph *graph, og_tensor tensor,
                                             og_tensor offset,
                                             int64_t multiplier);

/** All that is known of a tensor. */
typedef struct og_tensor_info {
  /** sizeof(og_tensor_info), set by the caller. */
  size_t struct_size;
  const char *name;
  /** NOT_SET while unset. */
  int32_t dtype;
  /** Rank; -1 while extents are unset. */
  int32_t ndim;
  const int64_t *dims;
  /** Null while unset. Of a dynamic packed layout: OG_DYNAMIC entries. */
  const int64_t *strides;
  /** `ndim` names, "" on static axes; null when all are static. */
  const char *const *symbols;
  int64_t uid;
  /** 1 when the user chose the uid, 0 when it is automatic. */
  int32_t uid_is_chosen;
  int32_t is_virtual;
  int32_t by_value;
  /** 1 for a constant of the graph. */
  int32_t is_constant;
  /** Kind NONE when there is no default and it is no constant. */
  og_value value;
  int64_t alignment;
  int32_t reordering;
  og_tensor ragged_offset;
  int64_t ragged_multiplier;
  /** The operation that makes it; -1 for an input. */
  int32_t node;
  /** 1 when some operation reads it, as an operand or as a ragged offset. */
  int32_t is_used;
  /** The region that it is inside, as an argument or result; 0 for none. */
  int32_t region;
} og_tensor_info;

/** How many tensors the graph has; 0 for null. */
OG_API int32_t og_graph_num_tensors(const og_graph *graph);
/** What is known of `tensor` so far; after validation, with what that filled
 * in. OG_OUT_OF_RANGE. */
OG_API og_status og_tensor_get(og_graph *graph, og_tensor tensor,
                               og_tensor_info *out);
/** The tensor with this uid. OG_NOT_FOUND. */
OG_API og_status og_graph_find_uid(const og_graph *graph, int64_t uid,
                                   og_tensor *out);
/** The tensor with this label. OG_NOT_FOUND; OG_INVALID_VALUE when several
 * have it. */
OG_API og_status og_graph_find_name(const og_graph *graph, const char *name,
                                    og_tensor *out);

/*===---------------------------------------------------------------------===*/
/* Operations                                                                */
/*===---------------------------------------------------------------------===*/

/** An operand by its argument name ("input") or port ("IN_0"). A variadic
 * operand is given by repeating its name. */
typedef struct og_named_tensor {
  const char *name;
  /** OG_NO_TENSOR is the same as leaving the operand out. */
  og_tensor tensor;
} og_named_tensor;

/** An attribute by its name. Kind NONE is the same as leaving it out. */
typedef struct og_named_value {
  const char *name;
  og_value value;
} og_named_value;

/** One operation, as given to og_graph_op. */
typedef struct og_op_desc {
  /** sizeof(og_op_desc), set by the caller. */
  size_t struct_size;
  /** The operation's name in .mlir text without "graph.", e.g. "matmul". */
  const char *op;
  /** A label; null or "" means "<op>.<number among these>". */
  const char *name;
  const og_named_tensor *operands;
  size_t num_operands;
  const og_named_value *attributes;
  size_t num_attributes;
  /** Where the user wrote it, for error texts; may be null and 0. */
  const char *file;
  int32_t line;
  /** Tensors made beforehand with og_graph_tensor that become results, by
   * result name ("Max") or port. Nothing makes or reads them yet. They keep
   * uid, label and all that was declared; unless made virtual they are outputs
   * of the graph. OG_NO_TENSOR is the same as leaving the result out. */
  const og_named_tensor *outputs;
  size_t num_outputs;
  /** The region of an operation that has one, from og_graph_end_region; 0 for
   * none. */
  int32_t region;
} og_op_desc;

/**
 * Adds an operation. `results` (room for `num_results`, at least the count that
 * og_op_num_results gives) receives its results in the order of the
 * operation's definition, OG_NO_TENSOR for those that its attributes and
 * operands rule out. Results are named "<label>::<PORT>" and start virtual,
 * except those given as `outputs`.
 *
 * Checked here: the operation, operand, attribute and result names, kinds of
 * values, missing operands and attributes without default, and which tensors
 * may be read. The rest by og_graph_validate. On failure the graph is
 * unchanged. OG_NOT_FOUND: unknown operation, operand, attribute, result or
 * region, with the nearest name in the text; OG_ATTRIBUTE_NOT_SET;
 * OG_INVALID_VALUE; OG_UNSUPPORTED: this operation in a region;
 * OG_ALREADY_EXISTS: given twice.
 */
OG_API og_status og_graph_op(og_graph *graph, const og_op_desc *desc,
                             og_tensor *results, size_t num_results);

/** A node: one operation of a graph. */
typedef struct og_node_info {
  /** sizeof(og_node_info), set by the caller. */
  size_t struct_size;
  const char *name;
  const char *op;
  /** Operands given, and results that the definition lists. */
  int32_t num_operands;
  int32_t num_results;
  int32_t num_attributes;
  /** The region that the node is inside; 0 for a node of the graph itself. */
  int32_t region;
  /** The node's own region; 0 when it has none. */
  int32_t owned_region;
} og_node_info;

/** How many nodes the graph has, in order of insertion; those inside regions
 * count (og_node_info.region), before the node that owns the region. 0 for
 * null. */
OG_API int32_t og_graph_num_nodes(const og_graph *graph);
/** A node by its number. This and the getters below: OG_OUT_OF_RANGE. Any `out`
 * pointer of theirs but `*out` may be null. */
OG_API og_status og_graph_node(og_graph *graph, int32_t node,
                               og_node_info *out);
/** The index-th operand in the definition's order, with its argument name and
 * port: those given, the captures of a region and ragged offsets. */
OG_API og_status og_graph_node_operand(og_graph *graph, int32_t node,
                                       int32_t index, const char **name,
                                       const char **port, og_tensor *tensor);
/** The index-th result of the definition; OG_NO_TENSOR when absent. */
OG_API og_status og_graph_node_result(og_graph *graph, int32_t node,
                                      int32_t index, const char **port,
                                      og_tensor *tensor);
/** The index-th attribute that was given (defaults are not listed). */
OG_API og_status og_graph_node_attribute(og_graph *graph, int32_t node,
                                         int32_t index, const char **name,
                                         og_value *value);

/*===---------------------------------------------------------------------===*/
/* Regions                                                                   */
/*===---------------------------------------------------------------------===*/

/* Some operations (attention) take a region: pointwise operations on tensors
 * that the operation computes inside, given between og_graph_begin_region and
 * og_graph_end_region and handed to og_graph_op as og_op_desc.region. They may
 * read the region's arguments, results of operations before them in the region,
 * and tensors of the graph. The latter are the region's captures: the
 * operation that takes the region reads them as its operands "captures", in
 * order of first use. Tensors inside a region are read nowhere else and are no
 * outputs. Regions do not nest, and a graph with an open region can be neither
 * validated nor planned. */

/** Opens a region and makes its `num_arguments` arguments, in `arguments`. What
 * they are follows from the operation; extents, strides and dtypes that are
 * set on them are compared by og_graph_validate. OG_FAILED_PRECONDITION while
 * another region is open. */
OG_API og_status og_graph_begin_region(og_graph *graph, size_t num_arguments,
                                       og_tensor *arguments);

/** Ends the open region with the tensors that it gives back, any that an
 * operation inside could read. `*region` is its number, from 1. Exactly one
 * operation must take it: og_graph_validate fails otherwise. */
OG_API og_status og_graph_end_region(og_graph *graph, const og_tensor *results,
                                     size_t num_results, int32_t *region);

/** Drops the open region or, when none is open, the last one if no operation
 * has taken it, with every tensor and node added, and undoing every change
 * made, since it was begun. The numbers of what is dropped are given again.
 * OG_FAILED_PRECONDITION when there is no such region. */
OG_API og_status og_graph_abandon_region(og_graph *graph);

/** All that is known of a region. */
typedef struct og_region_info {
  /** sizeof(og_region_info), set by the caller. */
  size_t struct_size;
  const og_tensor *arguments;
  size_t num_arguments;
  /** Tensors of the graph that it reads, in order of first use. */
  const og_tensor *captures;
  size_t num_captures;
  /** Null and 0 while it is open. */
  const og_tensor *results;
  size_t num_results;
  /** The node that took it; -1 for none yet. */
  int32_t node;
} og_region_info;

/** How many regions the graph has; they are numbered from 1. 0 for null. */
OG_API int32_t og_graph_num_regions(const og_graph *graph);
/** A region by its number. OG_OUT_OF_RANGE. */
OG_API og_status og_graph_region(const og_graph *graph, int32_t region,
                                 og_region_info *out);

/*===---------------------------------------------------------------------===*/
/* What operations there are. Static storage.                                */
/*===---------------------------------------------------------------------===*/

/** How many operations there are. */
OG_API int32_t og_num_ops(void);
/** The index-th operation's name in ascending order; null out of range. */
OG_API const char *og_op_name(int32_t index);
/** Results in the definition of `op`; -1 for an unknown operation. */
OG_API int32_t og_op_num_results(const char *op);

OG_END_DECLS

#endif /* OPGRAPH_C_GRAPH_H */
