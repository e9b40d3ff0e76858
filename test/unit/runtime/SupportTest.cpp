//===- SupportTest.cpp - Errors, logging, 16-bit conversions --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/Error.h"
#include "runtime/ImportTable.h"
#include "runtime/Log.h"
#include "test/unit/runtime/TestPlans.h"

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>
#include <thread>
#include <unistd.h>

using namespace opgraph::runtime;
using namespace opgraph::test;

namespace {

TEST(Error, NamesAreClosed) {
  for (int i = 0; i <= OG_PARSE_ERROR; ++i)
    EXPECT_STRNE(og_status_name(og_status(i)), "UNKNOWN") << i;
  EXPECT_STREQ(og_status_name(og_status(OG_PARSE_ERROR + 1)), "UNKNOWN");
  EXPECT_STREQ(og_status_name(OG_DATA_LOSS), "DATA_LOSS");
  EXPECT_STREQ(og_dtype_name(OG_DTYPE_BFLOAT16), "BFLOAT16");
  EXPECT_STREQ(og_dtype_name(og_dtype(-1)), "UNKNOWN");
  EXPECT_EQ(og_dtype_bits(og_dtype(23)), 0);
}

TEST(Error, IsPerThreadAndCut) {
  EXPECT_EQ(og_set_last_error(OG_NOT_FOUND, "here"), OG_NOT_FOUND);
  std::thread([] {
    EXPECT_STREQ(og_last_error(), "");
    EXPECT_EQ(og_last_status(), OG_OK);
    og_set_last_error(OG_INTERNAL, std::string(10000, 'x').c_str());
    EXPECT_EQ(std::string(og_last_error()), std::string(4095, 'x'));
  }).join();
  EXPECT_STREQ(og_last_error(), "here");
  EXPECT_EQ(og_last_status(), OG_NOT_FOUND);
  og_set_last_error(OG_INTERNAL, og_last_error());
  EXPECT_STREQ(og_last_error(), "here");
  og_set_last_error(OG_INTERNAL, nullptr);
  EXPECT_STREQ(og_last_error(), "");
}

TEST(Error, ListsAreCut) {
  std::vector<int64_t> values(100, INT64_MIN);
  std::string text = ListText(values.data(), values.size()).str();
  EXPECT_LT(text.size(), 192u);
  EXPECT_EQ(text.substr(text.size() - 6), ", ...]");
  EXPECT_STREQ(ListText(values.data(), 0).str(), "[]");
}

TEST(Error, ExhaustedHeapIsAStatus) {
  EXPECT_EQ(guarded([]() -> og_status { throw std::bad_alloc(); }),
            OG_OUT_OF_MEMORY);
}

struct Messages {
  std::vector<std::string> list;
  static void add(og_log_level level, const char *component, const char *text,
                  void *user) {
    static_cast<Messages *>(user)->list.push_back(std::to_string(level) +
                                                  component + ":" + text);
    // Dropped, and no deadlock.
    og_log(OG_LOG_ERROR, "nested", "message");
  }
};

TEST(Log, CallbackAndThreshold) {
  Messages messages;
  og_log_level saved = og_get_log_level();
  og_set_log_callback(Messages::add, &messages);
  og_set_log_level(OG_LOG_INFO);
  og_log(OG_LOG_INFO, "test", "shown");
  og_log(OG_LOG_DEBUG, "test", "hidden");
  og_log(OG_LOG_OFF, "test", "hidden");
  og_log(OG_LOG_ERROR, nullptr, nullptr);
  logf(OG_LOG_WARNING, "%d", 42);
  og_set_log_callback(nullptr, nullptr);
  og_log(OG_LOG_ERROR, "test", "nowhere, OPGRAPH_LOG being unset");
  og_set_log_level(saved);
  EXPECT_EQ(messages.list,
            (std::vector<std::string>{"3test:shown", "1:", "2runtime:42"}));
}

/// Runs one test of this program with OPGRAPH_LOG set; gives the log file.
std::string logOfChild(const std::string &level) {
  std::string path = ::testing::TempDir() + "opgraph_log_test";
  std::remove(path.c_str());
  char self[4096] = {};
  EXPECT_GT(readlink("/proc/self/exe", self, sizeof(self) - 1), 0);
  std::string command =
      "OPGRAPH_LOG=" + level + ":" + path + " OPGRAPH_CPU_TARGET=nonsense '" +
      self + "' --gtest_filter=Load.ReferencesKeepThePlan >/dev/null";
  EXPECT_EQ(std::system(command.c_str()), 0);
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  std::remove(path.c_str());
  return text.str();
}

TEST(Log, VariableNamesLevelAndFile) {
  std::string debug = logOfChild("debug");
  EXPECT_NE(debug.find("Z opgraph debug runtime: loaded plan 'test'"),
            std::string::npos)
      << debug;
  EXPECT_NE(debug.find("opgraph warning runtime: OPGRAPH_CPU_TARGET"),
            std::string::npos);
  std::string warning = logOfChild("warning");
  EXPECT_EQ(warning.find("loaded plan"), std::string::npos);
  EXPECT_NE(warning.find("OPGRAPH_CPU_TARGET"), std::string::npos);
  EXPECT_EQ(logOfChild("off"), "");
  EXPECT_NE(logOfChild("loud").find("expected off|error"), std::string::npos);
}

template <typename To, typename From>
To bits(From value) {
  To result;
  std::memcpy(&result, &value, sizeof(result));
  return result;
}

/// The value of a 16-bit float with `mantissa` bits of mantissa.
double widen(uint16_t value, int mantissa) {
  int exponentBits = 15 - mantissa, bias = (1 << (exponentBits - 1)) - 1;
  int exponent = (value & 0x7fff) >> mantissa;
  double fraction = value & ((1 << mantissa) - 1);
  double sign = value & 0x8000 ? -1 : 1;
  if (exponent == (1 << exponentBits) - 1)
    return fraction ? NAN : sign * INFINITY;
  if (exponent == 0)
    return sign * std::ldexp(fraction, 1 - bias - mantissa);
  return sign *
         std::ldexp(fraction + (1 << mantissa), exponent - bias - mantissa);
}

/// Checks a rounding against the neighbours of its result.
void expectNearestEven(double value, uint16_t result, int mantissa) {
  if (std::isnan(value)) {
    EXPECT_TRUE(std::isnan(widen(result, mantissa)));
    return;
  }
  EXPECT_EQ(std::signbit(value), bool(result & 0x8000));
  uint16_t magnitude = result & 0x7fff;
  uint16_t infinity = ((1 << (15 - mantissa)) - 1) << mantissa;
  ASSERT_LE(magnitude, infinity);
  // Infinity stands for the next power of two, for rounding to it.
  auto at = [&](uint16_t m) {
    return m == infinity ? std::ldexp(1.0, 1 << (14 - mantissa))
                         : widen(m, mantissa);
  };
  double wanted = std::fabs(value);
  if (magnitude < infinity) {
    double middle = (at(magnitude) + at(magnitude + 1)) / 2;
    EXPECT_TRUE(wanted < middle || (wanted == middle && !(magnitude & 1)))
        << value;
  }
  if (magnitude > 0) {
    double middle = (at(magnitude) + at(magnitude - 1)) / 2;
    EXPECT_TRUE(wanted > middle || (wanted == middle && !(magnitude & 1)))
        << value;
  }
}

void checkDouble(double value) {
  expectNearestEven(value, bits<uint16_t>(ogTruncDfHf(value)), 10);
  expectNearestEven(value, bits<uint16_t>(ogTruncDfBf(value)), 7);
  float narrow = static_cast<float>(value);
  expectNearestEven(narrow, bits<uint16_t>(ogTruncSfHf(narrow)), 10);
}

TEST(HalfConversions, RoundToNearestEven) {
  std::mt19937_64 engine(4);
  for (int round = 0; round < 200000; ++round) {
    checkDouble(bits<double>(engine()));
    // Exponents around the narrow formats' range, and ties.
    double near =
        std::ldexp(double(engine() % 8192) / 4, int(engine() % 60) - 40);
    checkDouble(near);
    checkDouble(std::nextafter(near, 1e300));
    checkDouble(-std::nextafter(near, 0));
  }
  for (double value : std::initializer_list<double>{
           0.0, -0.0, INFINITY, -INFINITY, NAN, 65504.0, 65519.9, 65520.0,
           0x1p-24, 0x1p-25, 0x1.0000001p-25, 0x1p-133, 0x1p-134, 3.3895e38,
           3.3961775e38, 5e-324, -1.5})
    checkDouble(value);
}

TEST(HalfConversions, NoDoubleRounding) {
  // To f32 first, this would lie halfway and round up.
  double value = 1 + 0x1p-8 - 0x1p-40;
  EXPECT_EQ(bits<uint16_t>(ogTruncDfBf(value)), 0x3f80);
  EXPECT_EQ(bits<uint16_t>(ogTruncSfBf(1 + 0x1p-8f)), 0x3f80);
  EXPECT_EQ(bits<uint16_t>(ogTruncSfBf(1 + 0x1p-8f + 0x1p-20f)), 0x3f81);
  EXPECT_EQ(bits<uint16_t>(ogTruncDfBf(1 + 0x1p-8 + 0x1p-40)), 0x3f81);
}

TEST(HalfConversions, ExtendsEveryHalf) {
  for (uint32_t value = 0; value < 65536; ++value) {
    float wide = ogExtendHfSf(bits<_Float16>(uint16_t(value)));
    double expected = widen(uint16_t(value), 10);
    if (std::isnan(expected))
      EXPECT_TRUE(std::isnan(wide));
    else
      EXPECT_EQ(bits<uint32_t>(wide), bits<uint32_t>(float(expected)));
  }
}

} // namespace
