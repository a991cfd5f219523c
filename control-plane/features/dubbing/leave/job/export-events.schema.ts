// The events of a job that makes one file of a dub: its end. Its progress is that of the job.
import { z } from 'zod'
import { JOB_ENDS } from '#control-plane/jobs/job-type.ts'

export const DubExportEvent = z.discriminatedUnion('type', JOB_ENDS).meta({ id: 'DubExportEvent' })
