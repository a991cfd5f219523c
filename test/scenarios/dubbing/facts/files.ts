// The test files that the table of statements names.
const AREA = 'test/control-plane/features/dubbing'
const SCENARIOS = 'test/scenarios/dubbing'

export const PREP = `${SCENARIOS}/prep.test.ts`
export const INGEST = `${SCENARIOS}/ingest.test.ts`
export const LINES = `${SCENARIOS}/transcribe.test.ts`
export const GENERATE = `${SCENARIOS}/generate.test.ts`
export const EXPORT = `${SCENARIOS}/export.test.ts`
export const BATCH = `${SCENARIOS}/batch.test.ts`
export const STREAM = { job: `${AREA}/lines/transcribe/transcribe-job.test.ts`, rules: `${AREA}/lines/transcribe/rules.test.ts` } as const
export const DOWNLOADS = { runs: `${AREA}/leave/export/runs.test.ts`, fallback: `${AREA}/leave/export/fallback.test.ts` } as const
export const RULES = `${AREA}/leave/export/rules.test.ts`
export const QC = `${AREA}/make/qc/check.test.ts`
export const CONTEXT = `${AREA}/context.test.ts`
export const REFUSALS = `${AREA}/batch-refusals.test.ts`
export const BATCH_UNIT = `${AREA}/batch.test.ts`
export const STATUS = 'test/shared/timing/status.test.ts'
export const TRANSLATE = 'test/scenarios/translation/translation.test.ts'
export const CHECK = `${SCENARIOS}/check.test.ts`
export const SONI = 'test/scenarios/engines/sonitranslate.test.ts'
