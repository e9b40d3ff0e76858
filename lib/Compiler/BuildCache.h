//===- BuildCache.h - Plans that a graph has built --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In memory, per graph. This is the seam of the cache on disk: same question,
// a wider key.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_LIB_COMPILER_BUILDCACHE_H
#define OPGRAPH_LIB_COMPILER_BUILDCACHE_H

#include "opgraph-c/runtime.h"
#include <map>
#include <memory>
#include <string>

namespace opgraph::lib {

struct PlanRelease {
  void operator()(og_plan *plan) const { og_plan_release(plan); }
};
/// A reference to a plan, shared within one graph.
using PlanHandle = std::shared_ptr<og_plan>;

class BuildCache {
public:
  /// The plan of this identity, with these variants, or null.
  PlanHandle find(const std::string &identity,
                  const std::string &variants) const {
    auto found = plans.find({identity, variants});
    return found == plans.end() ? nullptr : found->second;
  }
  void insert(const std::string &identity, const std::string &variants,
              PlanHandle plan) {
    plans[{identity, variants}] = std::move(plan);
  }

private:
  std::map<std::pair<std::string, std::string>, PlanHandle> plans;
};

} // namespace opgraph::lib

#endif // OPGRAPH_LIB_COMPILER_BUILDCACHE_H
