// Ten lines that use the installed package.
#include <opgraph-c/compiler.h>
#include <opgraph/opgraph.h>

#include <cstdio>

int main() {
  std::printf("opgraph %s, runtime %s\n", opgraph_version(),
              og_runtime_version());
  og_compiler *compiler = nullptr;
  if (og_compiler_create(&compiler) != OG_OK)
    return 1;
  og_compiler_release(compiler);
  return 0;
}
