//===- graph-opt.cpp - Driver of dialects, passes and pipelines -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Like mlir-opt, for opgraph: every dialect, pass and pipeline of the project,
// and the upstream ones in use, by name. (Registering all of upstream would
// link every LLVM target.)
//===----------------------------------------------------------------------===//
#include "codegen/Host/HostCodegen.h"
#include "codegen/Host/Passes.h"
#include "codegen/Host/TensorPipeline.h"
#include "codegen/NVPTX/Passes.h"
#include "codegen/TileInterpreter/Passes.h"
#include "dialects/CuDNN/CudnnDialect.h"
#include "dialects/Graph/GraphDialect.h"
#include "dialects/Plan/PlanDialect.h"
#include "dialects/Tile/TileDialect.h"
#include "lib/Support/Nesting.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "opgraph-c/graph.h"
#include "passes/Legalize/CuDNN/Passes.h"
#include "passes/Legalize/Host/Passes.h"
#include "passes/Legalize/NVPTX/Passes.h"
#include "passes/Planning/Passes.h"
#include "passes/Transforms/Passes.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

static void registerDialects(mlir::DialectRegistry &registry) {
  registry.insert<opgraph::graph::GraphDialect, opgraph::plan::PlanDialect,
                  opgraph::tile::TileDialect, opgraph::cudnn::CudnnDialect>();
  registry.insert<mlir::affine::AffineDialect, mlir::arith::ArithDialect,
                  mlir::bufferization::BufferizationDialect,
                  mlir::cf::ControlFlowDialect, mlir::func::FuncDialect,
                  mlir::linalg::LinalgDialect, mlir::LLVM::LLVMDialect,
                  mlir::math::MathDialect, mlir::memref::MemRefDialect,
                  mlir::scf::SCFDialect, mlir::tensor::TensorDialect,
                  mlir::ub::UBDialect, mlir::vector::VectorDialect>();
  opgraph::codegen::registerHostCodegenDialects(registry);
  opgraph::codegen::registerNVPTXDialects(registry);
}

static void registerProjectPasses() {
  opgraph::planning::registerPlanningPasses();
  opgraph::registerTransformsPasses();
  opgraph::registerCudnnLegalizePasses();
  opgraph::registerHostLegalizePasses();
  opgraph::registerNvptxLegalizePasses();
  opgraph::codegen::registerTensorPipeline();
  opgraph::codegen::registerHostPasses();
  opgraph::codegen::registerNVPTXPasses();
  opgraph::tile::interp::registerTileInterpreterPasses();
}

/// The upstream passes that the pipelines above are made of, and those that
/// help to take a stage apart.
static void registerUpstreamPasses() {
  mlir::registerTransformsPasses();
  mlir::bufferization::registerBufferizationPasses();
  mlir::memref::registerMemRefPasses();
  mlir::registerLinalgPasses();
  mlir::registerSCFPasses();
  mlir::registerArithToLLVMConversionPass();
  mlir::registerConvertControlFlowToLLVMPass();
  mlir::registerConvertFuncToLLVMPass();
  mlir::registerConvertIndexToLLVMPass();
  mlir::registerConvertLinalgToStandardPass();
  mlir::registerConvertMathToLLVMPass();
  mlir::registerConvertMathToLibmPass();
  mlir::registerConvertVectorToLLVMPass();
  mlir::registerConvertVectorToSCFPass();
  mlir::registerFinalizeMemRefToLLVMConversionPass();
  mlir::registerLowerAffinePass();
  mlir::registerReconcileUnrealizedCastsPass();
  mlir::registerSCFToControlFlowPass();
  mlir::registerUBToLLVMConversionPass();
}

static int fail(const llvm::Twine &message) {
  llvm::errs() << "graph-opt: error: " << message << '\n';
  return EXIT_FAILURE;
}

static int run(llvm::StringRef inputPath, llvm::StringRef outputPath,
               mlir::DialectRegistry &registry) {
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> input =
      mlir::openInputFile(inputPath, &error);
  if (!input)
    return fail(error);
  if (auto problem = opgraph::lib::findTextProblem(
          input->getBuffer(), OG_MAX_GRAPH_NESTING, /*allowAffine=*/true))
    return fail(inputPath + ":" + llvm::Twine(problem->line) + ": " +
                opgraph::lib::describe(*problem, OG_MAX_GRAPH_NESTING));
  std::unique_ptr<llvm::ToolOutputFile> output =
      mlir::openOutputFile(outputPath, &error);
  if (!output)
    return fail(error);
  if (mlir::failed(
          mlir::MlirOptMain(output->os(), std::move(input), registry,
                            mlir::MlirOptMainConfig::createFromCLOptions())))
    return EXIT_FAILURE;
  output->keep();
  return EXIT_SUCCESS;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  mlir::DialectRegistry registry;
  registerDialects(registry);
  registerProjectPasses();
  registerUpstreamPasses();
  auto [inputPath, outputPath] = mlir::registerAndParseCLIOptions(
      argc, argv, "opgraph compiler driver\n", registry);
  return run(inputPath, outputPath, registry);
}
