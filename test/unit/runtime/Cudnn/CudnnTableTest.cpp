//===- CudnnTableTest.cpp - Our table against the library's header --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
///
/// \file
/// Compiled where cuDNN's header is found. Rows that are younger than it are
/// left out: each has the version that it came with.
///
//===----------------------------------------------------------------------===//

#include "gtest/gtest.h"

#include <cudnn_graph.h>

// Names in rows that the header deprecates.
#pragma clang diagnostic ignored "-Wdeprecated-declarations"

#define OPGRAPH_HEADER_HAS(since) (CUDNN_VERSION >= (since))

// A row's version as a part of a macro's name.
#define OPGRAPH_ROW_90000(...) __VA_ARGS__
#define OPGRAPH_ROW_90200(...) __VA_ARGS__
#define OPGRAPH_ROW_90400(...) __VA_ARGS__
#define OPGRAPH_ROW_90600(...) __VA_ARGS__
#define OPGRAPH_ROW_90700(...) __VA_ARGS__
#define OPGRAPH_ROW_90800(...) __VA_ARGS__
#if OPGRAPH_HEADER_HAS(91000)
#define OPGRAPH_ROW_91000(...) __VA_ARGS__
#else
#define OPGRAPH_ROW_91000(...)
#endif
#if OPGRAPH_HEADER_HAS(91100)
#define OPGRAPH_ROW_91100(...) __VA_ARGS__
#else
#define OPGRAPH_ROW_91100(...)
#endif
#if OPGRAPH_HEADER_HAS(91300)
#define OPGRAPH_ROW_91300(...) __VA_ARGS__
#else
#define OPGRAPH_ROW_91300(...)
#endif
#if OPGRAPH_HEADER_HAS(91400)
#define OPGRAPH_ROW_91400(...) __VA_ARGS__
#else
#define OPGRAPH_ROW_91400(...)
#endif
#if OPGRAPH_HEADER_HAS(91500)
#define OPGRAPH_ROW_91500(...) __VA_ARGS__
#else
#define OPGRAPH_ROW_91500(...)
#endif
#if OPGRAPH_HEADER_HAS(91700)
#define OPGRAPH_ROW_91700(...) __VA_ARGS__
#else
#define OPGRAPH_ROW_91700(...)
#endif
#if OPGRAPH_HEADER_HAS(91800)
#define OPGRAPH_ROW_91800(...) __VA_ARGS__
#else
#define OPGRAPH_ROW_91800(...)
#endif
#if OPGRAPH_HEADER_HAS(92000)
#define OPGRAPH_ROW_92000(...) __VA_ARGS__
#else
#define OPGRAPH_ROW_92000(...)
#endif
#if OPGRAPH_HEADER_HAS(92200)
#define OPGRAPH_ROW_92200(...) __VA_ARGS__
#else
#define OPGRAPH_ROW_92200(...)
#endif
#if OPGRAPH_HEADER_HAS(92400)
#define OPGRAPH_ROW_92400(...) __VA_ARGS__
#else
#define OPGRAPH_ROW_92400(...)
#endif
#if OPGRAPH_HEADER_HAS(92500)
#define OPGRAPH_ROW_92500(...) __VA_ARGS__
#else
#define OPGRAPH_ROW_92500(...)
#endif

namespace {

TEST(CudnnTable, Kinds) {
#define OG_CUDNN_KIND(NAME, NUMBER, ROLE, PREFIX, SINCE)                       \
  OPGRAPH_ROW_##SINCE(                                                         \
      EXPECT_EQ(int(CUDNN_BACKEND_##NAME##_DESCRIPTOR), NUMBER) << #NAME;)
#include "opgraph-c/cudnn.def"
}

TEST(CudnnTable, Attributes) {
#define OG_CUDNN_ATTR(KIND, NAME, NUMBER, TYPE, OTHER, LEAST, MOST, REFERENT,  \
                      SINCE)                                                   \
  OPGRAPH_ROW_##SINCE(EXPECT_EQ(int(CUDNN_ATTR_##NAME), NUMBER) << #NAME;)
#include "opgraph-c/cudnn.def"
}

TEST(CudnnTable, Values) {
#define OG_CUDNN_VALUE(ENUM, NAME, NUMBER, CONSTANT, SINCE)                    \
  OPGRAPH_ROW_##SINCE(EXPECT_EQ(int(CONSTANT), NUMBER) << #CONSTANT;)
#include "opgraph-c/cudnn.def"
}

TEST(CudnnTable, Types) {
  // The one type that came later than all others.
#if !OPGRAPH_HEADER_HAS(91500)
  constexpr int CUDNN_TYPE_MOE_GROUPED_MATMUL_MODE = 30;
#endif
#define OG_CUDNN_TYPE(NAME, NUMBER, BYTES, ENUM)                               \
  EXPECT_EQ(int(CUDNN_TYPE_##NAME), NUMBER) << #NAME;
#include "opgraph-c/cudnn.def"
  EXPECT_EQ(sizeof(cudnnFraction_t), 16u);
}

} // namespace
