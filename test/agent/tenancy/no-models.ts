// A machine without models.
import type { ModelStore } from '#agent/models/store.ts'
import { Failure } from '#shared/protocol/failure.ts'

const none = () => new Failure('MODEL_REF_REJECTED', 'there are no models here')
export const noModels: ModelStore = {
  filesOf: () => null,
  digestOf: () => '',
  inventory: () => [],
  generation: () => 1,
  install() {
    throw none()
  },
  stopInstall: () => false,
  stopAll() {},
  putFile: async () => {
    throw none()
  },
  add: async () => {
    throw none()
  },
  remove: async () => {
    throw none()
  },
  lentSpace: async () => ({
    filesBytes: 0,
    limitBytes: null,
    isChosen: false,
    shareBytes: null,
    usedBytes: 0,
    usedBy: () => 0,
    expectedBytes: 0,
    expectedBy: () => 0,
  }),
  removeOfOthers: async () => 0,
  stop: async () => {},
}
