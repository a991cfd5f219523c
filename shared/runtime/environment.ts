// What a program that we start may see of our environment: what it needs to run, and no setting or secret of ours.
type Env = Readonly<Record<string, string | undefined>>

const PASSED_ON = [
  'PATH',
  'HOME',
  'LANG',
  'TMPDIR',
  // Which GPU to use and where its libraries are is decided by whoever set up the machine.
  'CUDA_VISIBLE_DEVICES',
  'LD_LIBRARY_PATH',
  'VK_ICD_FILENAMES',
  'VK_DRIVER_FILES',
  'NODE_COMPILE_CACHE',
  'VOICE_STUDIO_TEST_RUN',
]

/** `also`: further names that this one program needs. */
export const childEnvironment = (env: Env, also: readonly string[] = []): Record<string, string> =>
  Object.fromEntries([...PASSED_ON, ...also].flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))
