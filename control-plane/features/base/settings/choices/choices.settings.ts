import { z } from 'zod'
import { setting } from '#control-plane/store/setting.ts'

export const DEVICES = ['auto', 'cuda', 'rocm', 'xpu', 'mps', 'cpu'] as const
export type DeviceChoice = (typeof DEVICES)[number]

export const choiceSettings = {
  torchCompileDisabled: setting({
    key: 'perf.torch_compile_disabled',
    access: 'admin',
    controls: {
      group: 'device',
      title: 'Skip the compilation of graphs',
      help: 'For engines in Python on Windows whose first sentence takes minutes.',
    },
    schema: z.boolean(),
    fallback: false,
    summary: 'Whether Python engines skip the compilation of graphs. Only Windows uses it.',
  }),
  computeDevice: setting({
    key: 'compute.device',
    access: 'admin',
    controls: { group: 'device', title: 'Graphics card', help: 'Automatic uses the fastest device of this machine.', needsRestart: true },
    schema: z.enum(DEVICES),
    fallback: 'auto' as const,
    env: 'STUDIO_COMPUTE_DEVICE',
    summary: 'The device family of the engines: auto, cuda, rocm, xpu, mps or cpu. In effect after the next start.',
    changedBy: 'Choose the device in the settings, which checks that this machine has it.',
  }),
  historyCap: setting({
    key: 'history.retention',
    access: 'own',
    controls: {
      group: 'takes',
      title: 'Takes to keep',
      help: '0 keeps all. The oldest are removed when a new one is made; starred takes never are.',
    },
    schema: z.int().min(0).max(100_000),
    fallback: 200,
    summary: 'How many takes are kept; 0 for all. Starred takes are never removed.',
  }),
  missingTakes: setting({
    key: 'history.missing',
    access: 'own',
    controls: {
      group: 'takes',
      title: 'Takes whose file is missing',
      help: 'Automatic removes them, and keeps them if a disk or a part of a backup may be missing. Remove does it once.',
    },
    schema: z.enum(['auto', 'keep', 'remove']),
    fallback: 'auto' as const,
    summary:
      'What is done with takes whose file is missing: auto removes them from the list unless the folder of the takes is empty or more than a tenth is missing; keep, which a restore sets, and remove are in effect until no file is missing.',
  }),
  backupDays: setting({
    key: 'backup.days',
    access: 'own',
    controls: { group: 'backups', title: 'Days between two backups', help: '0 makes no backups by itself.' },
    schema: z.int().min(0).max(365),
    fallback: 0,
    summary: 'Days between two whole backups, which the studio writes into the folder backups of its data folder; 0 for none.',
  }),
  backupKeep: setting({
    key: 'backup.keep',
    access: 'own',
    controls: { group: 'backups', title: 'Backups to keep', help: 'Older ones are removed after a new one is complete.' },
    schema: z.int().min(1).max(100),
    fallback: 7,
    summary: 'How many backups of the schedule are kept.',
  }),
  backupIncremental: setting({
    key: 'backup.incremental',
    access: 'own',
    controls: {
      group: 'backups',
      title: 'Only what changed',
      help: 'Six backups have what changed since the one before, then a whole one follows. A restore needs all of them.',
    },
    schema: z.boolean(),
    fallback: false,
    summary:
      'Whether backups of the schedule have only what changed since the one before. Every seventh is a whole one, and those that a kept backup needs stay, also beyond backup.keep.',
  }),
  backupPassphrase: setting({
    key: 'backup.passphrase',
    access: 'own',
    controls: {
      group: 'backups',
      title: 'Passphrase of the keys',
      help: 'Keep it elsewhere too: without it the keys in a backup cannot be restored. If none is set, no keys are backed up.',
    },
    schema: z
      .string()
      .max(1_000)
      .refine((text) => text === '' || text.length >= 8),
    fallback: '',
    summary: 'The passphrase of the keys in backups of the schedule, 8 characters at least; empty leaves the keys out.',
    secret: true,
  }),
  refinement: setting({
    key: 'dictation.refinement',
    access: 'admin',
    controls: {
      group: 'refinement',
      fields: {
        auto: { title: 'Refine automatically', help: 'Texts go to the language model when a dictation ends.' },
        smart_cleanup: { title: 'Clean up', help: 'Removes filler words and repairs punctuation.' },
        self_correction: { title: 'Apply corrections', help: '"Monday, no, Tuesday" becomes "Tuesday".' },
        preserve_technical: { title: 'Keep technical terms', help: 'Names, commands and code stay as they were said.' },
      },
    },
    schema: z.strictObject({
      auto: z.boolean(),
      smart_cleanup: z.boolean(),
      self_correction: z.boolean(),
      preserve_technical: z.boolean(),
    }),
    fallback: { auto: true, smart_cleanup: true, self_correction: true, preserve_technical: true },
    summary: 'How a language model refines dictated text.',
  }),
  refineSeconds: setting({
    key: 'dictation.refine_seconds',
    access: 'admin',
    controls: { group: 'refinement', title: 'Time for refinement', help: 'In seconds. A text that takes longer is kept unchanged.' },
    schema: z.number().min(0.5).max(120),
    fallback: 4,
    summary: 'Seconds that a language model may take to refine a dictated text. After that the text is returned unrefined.',
  }),
  analytics: setting({
    key: 'analytics',
    access: 'admin',
    schema: z.strictObject({ opted_in: z.boolean(), prompted: z.boolean() }),
    fallback: { opted_in: false, prompted: false },
    summary: 'Whether the owner agreed to analytics. This version has no analytics and sends nothing.',
  }),
}
