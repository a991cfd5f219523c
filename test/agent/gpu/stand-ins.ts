// Libraries that stand in for the driver of NVIDIA, its libraries and the CUDA provider, compiled where the tests run. The loader and the runtime
// are the real ones: they report what is missing, and what the stand-ins answer.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A driver of version STUB_VERSION whose start answers STUB_INIT, or that crashes. */
const DRIVER = `
#include <stdlib.h>
#include <signal.h>
static int number(const char *name, int otherwise) { const char *text = getenv(name); return text ? atoi(text) : otherwise; }
int cuInit(unsigned flags) { (void)flags; if (getenv("STUB_CRASH")) raise(SIGSEGV); return number("STUB_INIT", 100); }
int cuDriverGetVersion(int *version) { *version = number("STUB_VERSION", 13000); return 0; }
`
/** Asks the driver in the order of the real provider, and throws its messages. */
const PROVIDER = `
#include <stdexcept>
#include <string>
extern "C" int cuInit(unsigned);
extern "C" int cuDriverGetVersion(int *);
extern "C" int cublasLtVersion();
static void fail(int code, const std::string &words) {
  throw std::runtime_error("/src/cuda_call.cc:129 std::conditional_t<THRW, void, Status> CudaCall(ERRTYPE) [with ERRTYPE = cudaError] CUDA failure " +
    std::to_string(code) + ": " + words + " ; GPU=-1 ; hostname=private ; file=/src/x.cc ; line=1 ; expr=cudaSetDevice(); ");
}
extern "C" void *GetProvider() {
  int version = cublasLtVersion();
  cuDriverGetVersion(&version);
  if (version < 13000) fail(35, "CUDA driver version is insufficient for CUDA runtime version");
  int code = cuInit(0);
  if (code == 100) fail(100, "no CUDA-capable device is detected");
  fail(code, "no kernel image is available for execution on the device");
  return nullptr;
}
`
const SHARED = 'void Provider_SetHost(void *host) { (void)host; }'
const CUBLAS = 'int cublasLtVersion(void) { return 13; }'

export type StandIns = { readonly provider: string; readonly shared: string; readonly cublas: string; readonly driver: string }

/** False without compilers for C and C++. */
export function hasCompilers(): boolean {
  try {
    for (const program of ['cc', 'c++']) execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Compiles the libraries into folders below `folder` and returns the path of each. */
export function compileStandIns(folder: string): StandIns {
  const compile = (name: string, source: string, ...needed: string[]): string => {
    const home = join(folder, name)
    mkdirSync(home, { recursive: true })
    const program = source === PROVIDER ? 'c++' : 'cc'
    const code = join(folder, `${name}.${program === 'cc' ? 'c' : 'cc'}`)
    writeFileSync(code, source)
    execFileSync(program, ['-shared', '-fPIC', '-O1', `-Wl,-soname,${name}`, '-o', join(home, name), code, ...needed], { stdio: 'pipe' })
    return join(home, name)
  }
  const driver = compile('libcuda.so.1', DRIVER)
  const cublas = compile('libcublasLt.so.13', CUBLAS)
  return {
    driver,
    cublas,
    shared: compile('libonnxruntime_providers_shared.so', SHARED),
    provider: compile('libonnxruntime_providers_cuda.so', PROVIDER, cublas, driver),
  }
}

/** A folder with copies of the files. */
export function folderOf(folder: string, files: readonly string[]): string {
  mkdirSync(folder, { recursive: true })
  for (const file of files) copyFileSync(file, join(folder, file.slice(file.lastIndexOf('/') + 1)))
  return folder
}
