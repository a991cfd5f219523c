// Messages of the runtime about a device that cannot be used, as recorded from it, and the explanations for the owner.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { causeOf, type TrialAnswer } from '#agent/engine/runtimes/onnx/trial/cause.ts'
import { CAPABILITIES, GPU_CAUSE_CODES, type GpuCause, gpuCause, gpuFix, isCapable } from '#shared/protocol/fields/gpu-causes.ts'

const failed = (message: string): TrialAnswer => ({ kind: 'failed', message })
const NOT_LOADED = 'OrtSessionOptionsAppendExecutionProvider_Cuda: Failed to load shared library'
const missing = (library: string) =>
  `2027-01-01 [E:onnxruntime:onnxruntime-node, provider_bridge_ort.cc:2146 Create] [ONNXRuntimeError] : 1 : FAIL : Failed to load library /opt/x/libonnxruntime_providers_cuda.so with error: ${library}: cannot open shared object file: No such file or directory\n`
const SIGNATURE =
  `/onnxruntime_src/onnxruntime/core/providers/cuda/cuda_call.cc:129 std::conditional_t<THRW, void, onnxruntime::common::Status> onnxruntime::CudaCall(ERRTYPE, const char*, const char*, SUCCTYPE, const char*, const char*, int) [with ERRTYPE = cudaError; bool THRW = true; SUCCTYPE = cudaError] `.repeat(
    3,
  )
const cuda = (code: number, words: string) =>
  failed(
    `${SIGNATURE}CUDA failure ${code}: ${words} ; GPU=-1 ; hostname=a-private-name ; file=/src/x.cc ; line=282 ; expr=cudaSetDevice(); `,
  )

const CASES: readonly (readonly [TrialAnswer, string, GpuCause['code'] | null, string?])[] = [
  [{ kind: 'works' }, 'a warning', null],
  [{ kind: 'wrong', found: [0, 0, 0, 1] }, '', 'wrong-results', 'it computes wrong results (0, 0, 0, 1)'],
  [
    { kind: 'slow', milliseconds: 3173.4, cpuMilliseconds: 4.26 },
    '',
    'slower-than-cpu',
    'it is slower than the CPU (3,173 ms for a product of matrices, the CPU 4.3 ms)',
  ],
  [
    failed(NOT_LOADED),
    missing('/opt/x/libonnxruntime_providers_shared.so'),
    'provider-missing',
    'the part of the runtime for this device is not installed (libonnxruntime_providers_shared.so)',
  ],
  [failed(NOT_LOADED), missing('libcublasLt.so.13'), 'library-missing', 'the library libcublasLt.so.13 is missing'],
  [failed(NOT_LOADED), missing('libcuda.so.1'), 'driver-missing', 'the NVIDIA driver is missing (libcuda.so.1)'],
  [failed(NOT_LOADED), '', 'other', NOT_LOADED],
  [
    cuda(35, 'CUDA driver version is insufficient for CUDA runtime version'),
    '',
    'driver-old',
    'the NVIDIA driver is too old (CUDA failure 35)',
  ],
  [cuda(100, 'no CUDA-capable device is detected'), '', 'no-device', 'the driver finds no GPU (CUDA failure 100)'],
  [
    cuda(209, 'no kernel image is available for execution on the device'),
    '',
    'card-unsupported',
    'the runtime has no code for this GPU, which is too old or too new (CUDA failure 209)',
  ],
  [cuda(999, 'unknown error'), '', 'other', 'unknown error (CUDA failure 999)'],
  [
    failed(
      '/src/webgpu_context.cc:136 onnxruntime::webgpu::Initialize()::<lambda()> adapter_result.status == Success was false. Failed to get a WebGPU adapter: No supported adapters\n',
    ),
    'Warning: vkCreateInstance: Found no drivers!\n',
    'no-graphics-driver',
    'no GPU driver was found (software drivers do not count)',
  ],
  [
    failed('no available backend found. ERR: [coreml] backend not found.'),
    '',
    'other',
    'no available backend found. ERR: [coreml] backend not found.',
  ],
  [failed(''), '', 'other', 'it gave no reason'],
]

test('each failure of a device has a cause that its owner understands', () => {
  for (const [answer, errors, code, reason] of CASES) assert.deepEqual(causeOf(answer, errors), code === null ? null : { code, reason })
  assert.deepEqual(causeOf(failed(NOT_LOADED), missing('libcuda.so.1'), { inContainer: true }), {
    code: 'driver-not-in-container',
    reason: 'this container has no NVIDIA driver (libcuda.so.1)',
  })
})

test('an unknown message keeps its end, where the reason is, and not its signature', () => {
  const cause = causeOf(failed(`${'std::vector<T>::f(int) '.repeat(100)}the reason`), '')!.reason
  assert.ok(cause.length <= 201 && cause.endsWith('the reason'), cause)
  const short = causeOf(
    failed('/src/a.cc:12 Status f() x.ok() was false. [ONNXRuntimeError] : 9 : NOT_IMPLEMENTED : no kernel'),
    '',
  )!.reason
  assert.equal(short, 'no kernel')
})

test('each cause has a reason that ends a sentence and a fix of whole sentences', () => {
  for (const code of GPU_CAUSE_CODES) {
    const { reason } = gpuCause(code, 'x')
    assert.ok(reason !== '' && !reason.endsWith('.'), code)
    assert.match(gpuFix(code, './studio'), /^[A-Z].*\.$/, code)
  }
  assert.equal(gpuFix('provider-missing', './studio agent'), 'Run ./studio agent gpu install.')
})

test('the runtime has code for some compute capabilities only', () => {
  for (const [capability, expected] of [
    ['6.1', false],
    ['7.0', false],
    ['7.5', true],
    ['8.9', true],
    ['9.0', true],
    ['10.0', false],
    ['12.0', true],
    ['12.1', false],
    ['', false],
    ['[N/A]', false],
  ] as const)
    assert.equal(isCapable(capability), expected, `${capability} of ${CAPABILITIES}`)
})
