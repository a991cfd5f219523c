// The CUDA provider of exactly the runtime of our lock file, and the libraries of NVIDIA that it needs. All of them are pinned by digest.

export type CudaPart = {
  /** Name and version of the package. */
  readonly name: string
  readonly version: string
  /** File of the package, a zip archive. */
  readonly file: string
  readonly bytes: number
  /** SHA-256. Null: no digest is known, so the part is never installed. */
  readonly sha256: string | null
  /** Base names of the libraries that are taken out, in lower case. */
  readonly libraries: RegExp
}
export type CudaSet = {
  /** Version of the runtime. */
  readonly runtime: string
  /** SHA-256 of the runtime library that the provider was built with. */
  readonly runtimeSha256: string
  readonly cuda: string
  /** Bytes on the disk when it is installed. */
  readonly installedBytes: number
  readonly parts: readonly CudaPart[]
}

/**
 * CUDA 13.0 on purpose: code that a newer compiler library makes at run time is refused by an older driver. Without cuFFT, which only operators need
 * that our engines do not have. The sizes are those of the published files.
 */
export const CUDA_SET: CudaSet = {
  runtime: '1.30.0',
  runtimeSha256: 'ffb75a925ba05e47b235bb66e3e3911714a80b328a9c9425539feb204aa32a23',
  cuda: '13.0',
  installedBytes: 1_650_000_000,
  parts: [
    {
      name: 'onnxruntime-gpu',
      version: '1.30.0',
      file: 'onnxruntime_gpu-1.30.0-cp311-cp311-manylinux_2_28_x86_64.whl',
      bytes: 246_658_419,
      sha256: '4fbf0c5d7b5fb99266c2e8a802e3e64af68bdc383e0f3c7349b985f1087eedaa',
      libraries: /^libonnxruntime_providers_(?:cuda|shared)\.so$/,
    },
    {
      name: 'nvidia-cublas',
      version: '13.0.2.14',
      file: 'nvidia_cublas-13.0.2.14-py3-none-manylinux_2_27_x86_64.whl',
      bytes: 420_882_912,
      sha256: '0cf238ffdbe46c00cb9aa98e7bca745c223a5ca5a53e686ac8b3e5a08fe80d6c',
      libraries: /^libcublas(?:lt)?\.so\.13$/,
    },
    {
      name: 'nvidia-cudnn-cu13',
      version: '9.17.1.4',
      file: 'nvidia_cudnn_cu13-9.17.1.4-py3-none-manylinux_2_27_x86_64.whl',
      bytes: 358_265_630,
      sha256: '6919fbd8c7bc8bdef276ab5c649c85206636aac1dceb77e650895c0fb6fb4f01',
      libraries: /^libcudnn[a-z_]{0,60}\.so\.9$/,
    },
    {
      name: 'nvidia-cuda-nvrtc',
      version: '13.0.88',
      file: 'nvidia_cuda_nvrtc-13.0.88-py3-none-manylinux2010_x86_64.manylinux_2_12_x86_64.whl',
      bytes: 90_215_200,
      sha256: 'ad9b6d2ead2435f11cbb6868809d2adeeee302e9bb94bcf0539c7a40d80e8575',
      libraries: /^libnvrtc(?:-builtins)?\.so\.13(?:\.0)?$/,
    },
    {
      name: 'nvidia-curand',
      version: '10.4.0.35',
      file: 'nvidia_curand-10.4.0.35-py3-none-manylinux_2_27_x86_64.whl',
      bytes: 59_544_258,
      sha256: '1aee33a5da6e1db083fe2b90082def8915f30f3248d5896bcec36a579d941bfc',
      libraries: /^libcurand\.so\.10$/,
    },
    {
      name: 'nvidia-cuda-runtime',
      version: '13.0.96',
      file: 'nvidia_cuda_runtime-13.0.96-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl',
      bytes: 2_243_632,
      sha256: '7f82250d7782aa23b6cfe765ecc7db554bd3c2870c43f3d1821f1d18aebf0548',
      libraries: /^libcudart\.so\.13$/,
    },
  ],
}

/** Archives are read in lower case, and one library has a capital letter. */
export const libraryName = (lowerCase: string): string => lowerCase.replace(/^libcublaslt\./, 'libcublasLt.')
export const downloadBytes = ({ parts }: CudaSet): number => parts.reduce((sum, { bytes }) => sum + bytes, 0)
/** Bytes that must be free: the archives stay until all of them are unpacked. */
export const neededBytes = (set: CudaSet): number => downloadBytes(set) + set.installedBytes
export const folderName = ({ runtime, cuda }: CudaSet): string => `ort-${runtime}-cuda${cuda.split('.')[0]}`
