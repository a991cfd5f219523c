import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'

const Uploaded = z.object({ job_id: z.string(), task_id: z.string(), filename: z.string() }).meta({ id: 'DubUploaded' })

export const dubUploadContracts = {
  upload: contract({
    id: 'dubbing.upload',
    method: 'POST',
    path: '/dub/upload',
    access: 'consume',
    summary: 'Starts a dub of a film or a recording of up to 50 GB. The events of its preparation follow at /tasks/stream/{task_id}.',
    body: z.strictObject({ job_id: z.string().max(1_000).nullish(), input_type: z.string().max(100).nullish() }),
    form: ['video'],
    spooledFilm: true,
    status: 202,
    reply: Uploaded,
  }),
  ofTranscript: contract({
    id: 'dubbing.uploadTranscript',
    method: 'POST',
    path: '/transcripts/{project_id}/dub',
    access: 'consume',
    of: { kind: 'project', param: 'project_id' },
    extension: true,
    summary: 'Starts a dub of the recording of a transcript that is a project, with its lines, their times and speakers.',
    params: z.strictObject({ project_id: z.string().min(1).max(64) }),
    body: z.strictObject({}),
    status: 202,
    reply: Uploaded,
  }),
}
