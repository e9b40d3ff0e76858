//===- KernelOps.cpp - Kernels and roles: text ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Tile/KernelText.h"
#include "dialects/Tile/Verify/Verify.h"
#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using namespace opgraph::tile;

/// `name(number)` into an i32 attribute.
static ParseResult parseNumber(OpAsmParser &parser, IntegerAttr &attribute) {
  int32_t value;
  if (parser.parseLParen() || parser.parseInteger(value) ||
      parser.parseRParen())
    return failure();
  attribute = parser.getBuilder().getI32IntegerAttr(value);
  return success();
}

static void printNumber(OpAsmPrinter &printer, StringRef name,
                        IntegerAttr attribute) {
  if (attribute)
    printer << ' ' << name << '(' << attribute.getInt() << ')';
}

/// Attributes that the text of `op` does not spell otherwise.
static void printExtraAttributes(OpAsmPrinter &printer, Operation *op,
                                 DictionaryAttr attributes) {
  SmallVector<StringRef> inherent;
  for (StringAttr name : op->getName().getAttributeNames())
    inherent.push_back(name.getValue());
  printer.printOptionalAttrDictWithKeyword(attributes.getValue(), inherent);
}

//===----------------------------------------------------------------------===//
// kernel
//===----------------------------------------------------------------------===//

static ParseResult parseTargets(OpAsmParser &parser, ArrayAttr &targets) {
  SmallVector<Attribute> list;
  auto parseTarget = [&]() -> ParseResult {
    StringRef name;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&name))
      return failure();
    std::optional<Target> target = symbolizeTarget(name);
    if (!target)
      return parser.emitError(loc, "expected a target, sm_80 to sm_120a, got ")
             << name;
    list.push_back(TargetAttr::get(parser.getContext(), *target));
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseTarget))
    return failure();
  targets = parser.getBuilder().getArrayAttr(list);
  return success();
}

ParseResult opgraph::tile::parseKernelBody(
    OpAsmParser &parser, Region &body, IntegerAttr &warps, ArrayAttr &targets,
    DenseI32ArrayAttr &cluster, IntegerAttr &minCtas, IntegerAttr &sharedBytes,
    NamedAttrList &attributes) {
  SmallVector<OpAsmParser::Argument> arguments;
  if (parser.parseArgumentList(arguments, AsmParser::Delimiter::Paren,
                               /*allowType=*/true) ||
      parser.parseKeyword("warps") || parseNumber(parser, warps) ||
      parser.parseKeyword("targets") || parseTargets(parser, targets))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("cluster"))) {
    SmallVector<int32_t> extents;
    auto parseExtent = [&] {
      return parser.parseInteger(extents.emplace_back());
    };
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                       parseExtent))
      return failure();
    cluster = parser.getBuilder().getDenseI32ArrayAttr(extents);
  }
  for (auto [name, attribute] :
       {std::pair<StringRef, IntegerAttr *>("min_ctas", &minCtas),
        {"shared_bytes", &sharedBytes}})
    if (succeeded(parser.parseOptionalKeyword(name)) &&
        parseNumber(parser, *attribute))
      return failure();
  if (parser.parseOptionalAttrDictWithKeyword(attributes) ||
      parser.parseRegion(body, arguments))
    return failure();
  if (body.empty())
    body.emplaceBlock();
  return success();
}

void opgraph::tile::printKernelBody(
    OpAsmPrinter &printer, Operation *op, Region &body, IntegerAttr warps,
    ArrayAttr targets, DenseI32ArrayAttr cluster, IntegerAttr minCtas,
    IntegerAttr sharedBytes, DictionaryAttr attributes) {
  printer << '(';
  llvm::interleaveComma(
      body.getArguments(), printer,
      [&](BlockArgument argument) { printer.printRegionArgument(argument); });
  printer << ')';
  printNumber(printer, "warps", warps);
  printer << " targets [";
  llvm::interleaveComma(targets, printer, [&](Attribute target) {
    printer << stringifyTarget(cast<TargetAttr>(target).getValue());
  });
  printer << ']';
  if (cluster) {
    printer << " cluster [";
    llvm::interleaveComma(cluster.asArrayRef(), printer);
    printer << ']';
  }
  printNumber(printer, "min_ctas", minCtas);
  printNumber(printer, "shared_bytes", sharedBytes);
  printExtraAttributes(printer, op, attributes);
  printer << ' ';
  printer.printRegion(body, /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/true);
}

LogicalResult KernelOp::verifyRegions() { return verifyKernel(*this); }

//===----------------------------------------------------------------------===//
// role
//===----------------------------------------------------------------------===//

ParseResult opgraph::tile::parseRoleBody(
    OpAsmParser &parser, Region &body, IntegerAttr &firstWarp,
    IntegerAttr &agents, IntegerAttr &warpsEach, IntegerAttr &registers,
    UnitAttr &single, IntegerAttr &barrier, NamedAttrList &attributes) {
  Builder &builder = parser.getBuilder();
  if (parser.parseKeyword("warps") || parseNumber(parser, firstWarp))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("agents")) &&
      parseNumber(parser, agents))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("of"))) {
    int32_t each;
    if (parser.parseInteger(each))
      return failure();
    warpsEach = builder.getI32IntegerAttr(each);
  }
  if (succeeded(parser.parseOptionalKeyword("registers")) &&
      parseNumber(parser, registers))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("single")))
    single = builder.getUnitAttr();
  if (succeeded(parser.parseOptionalKeyword("barrier")) &&
      parseNumber(parser, barrier))
    return failure();
  SmallVector<OpAsmParser::Argument> arguments;
  if (succeeded(parser.parseOptionalKeyword("as"))) {
    arguments.emplace_back();
    arguments.back().type = builder.getI32Type();
    if (parser.parseArgument(arguments.back()))
      return failure();
  }
  if (parser.parseOptionalAttrDictWithKeyword(attributes) ||
      parser.parseRegion(body, arguments))
    return failure();
  if (body.empty())
    body.emplaceBlock();
  // Every body has the agent's index, named or not.
  if (body.front().getNumArguments() == 0)
    body.front().addArgument(builder.getI32Type(), builder.getUnknownLoc());
  return success();
}

void opgraph::tile::printRoleBody(OpAsmPrinter &printer, Operation *op,
                                  Region &body, IntegerAttr firstWarp,
                                  IntegerAttr agents, IntegerAttr warpsEach,
                                  IntegerAttr registers, UnitAttr single,
                                  IntegerAttr barrier,
                                  DictionaryAttr attributes) {
  printNumber(printer, "warps", firstWarp);
  if (agents.getInt() != 1)
    printNumber(printer, "agents", agents);
  if (warpsEach.getInt() != 1)
    printer << " of " << warpsEach.getInt();
  printNumber(printer, "registers", registers);
  if (single)
    printer << " single";
  printNumber(printer, "barrier", barrier);
  BlockArgument agent = body.getArgument(0);
  if (!agent.use_empty()) {
    printer << " as ";
    printer.printRegionArgument(agent, {}, /*omitType=*/true);
  }
  printExtraAttributes(printer, op, attributes);
  printer << ' ';
  printer.printRegion(body, /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/true);
}

LogicalResult RoleOp::verifyRegions() {
  Block &body = getBody().front();
  if (body.getNumArguments() != 1 ||
      !body.getArgument(0).getType().isInteger(32))
    return emitOpError("expected the agent's index, an i32, as the body's only "
                       "argument");
  return success();
}

//===----------------------------------------------------------------------===//
// map
//===----------------------------------------------------------------------===//

ParseResult opgraph::tile::parseMapBody(
    OpAsmParser &parser,
    SmallVectorImpl<OpAsmParser::UnresolvedOperand> &inputs,
    SmallVectorImpl<Type> &inputTypes, SmallVectorImpl<Type> &tileTypes,
    Region &body) {
  SmallVector<OpAsmParser::Argument> arguments;
  auto parsePair = [&]() -> ParseResult {
    return failure(parser.parseArgument(arguments.emplace_back()) ||
                   parser.parseEqual() ||
                   parser.parseOperand(inputs.emplace_back()));
  };
  auto parseInputType = [&] {
    return parser.parseType(inputTypes.emplace_back());
  };
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parsePair) ||
      parser.parseColon() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren,
                                     parseInputType) ||
      parser.parseArrow())
    return failure();
  if (succeeded(parser.parseOptionalLParen())) {
    if (parser.parseTypeList(tileTypes) || parser.parseRParen())
      return failure();
  } else if (parser.parseType(tileTypes.emplace_back())) {
    return failure();
  }
  if (inputTypes.size() != inputs.size())
    return parser.emitError(loc, "expected ")
           << inputs.size() << " types of inputs, got " << inputTypes.size();
  for (auto [argument, type] : llvm::zip_equal(arguments, inputTypes)) {
    auto reg = dyn_cast<RegType>(type);
    if (!reg)
      return parser.emitError(loc, "expected register tiles as inputs, got ")
             << type;
    argument.type = reg.getElementType();
  }
  return parser.parseRegion(body, arguments);
}

void opgraph::tile::printMapBody(OpAsmPrinter &printer, Operation *op,
                                 OperandRange inputs, TypeRange inputTypes,
                                 TypeRange tileTypes, Region &body) {
  printer << '(';
  llvm::interleaveComma(
      llvm::zip_equal(body.getArguments(), inputs), printer, [&](auto pair) {
        printer.printRegionArgument(std::get<0>(pair), {}, /*omitType=*/true);
        printer << " = " << std::get<1>(pair);
      });
  printer << ") : (";
  llvm::interleaveComma(inputTypes, printer);
  printer << ") -> ";
  if (tileTypes.size() == 1) {
    printer << tileTypes[0];
  } else {
    printer << '(';
    llvm::interleaveComma(tileTypes, printer);
    printer << ')';
  }
  printer << ' ';
  printer.printRegion(body, /*printEntryBlockArgs=*/false);
}
