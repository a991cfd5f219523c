// The figures of the Health page, and the sentence at its top.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MachineView } from '#control-plane/web/lib/api-types.ts'
import { quantileOf, samplesOf, totalOf } from '#control-plane/web/pages/health/figures.ts'
import { daysUntil, factsOf } from '#control-plane/web/pages/health/worst.ts'

const TEXT = `# HELP studio_tasks_ended_total Tasks ended, by how they ended.
studio_tasks_ended_total{operation="tts",end="succeeded"} 3
studio_tasks_ended_total{operation="asr",end="succeeded"} 2
studio_tasks_ended_total{operation="asr",end="failed"} 1
studio_first_bucket{le="0.1",route="a"} 0
studio_first_bucket{le="0.5",route="a"} 4
studio_first_bucket{le="1",route="a"} 8
studio_first_bucket{le="+Inf",route="a"} 8
studio_first_bucket{le="1",route="b"} 0
studio_first_bucket{le="+Inf",route="b"} 5
process_resident_memory_bytes 5
}{ not a line "`

test('figures are summed by label, and quantiles are those of Prometheus', () => {
  const samples = samplesOf(TEXT)
  assert.equal(samples.length, 9)
  const ended = (end: string) => totalOf(samples, 'studio_tasks_ended_total', { end })
  assert.deepEqual([ended('succeeded'), ended('failed'), ended('cancelled')], [5, 1, 0])
  const of = (share: number, route: string | string[]) => quantileOf(samples, 'studio_first', share, { route })
  assert.deepEqual([of(0.5, 'a'), of(0.75, 'a'), of(0.5, 'b'), of(0.5, 'c')], [0.5, 0.75, 1, null])
  assert.equal(of(1, ['a', 'b']), 1, 'above the last limit nothing is known')
})

const NOTHING = { notices: null, checks: null, storage: null, machines: [], expiresAt: null }
const NOW = 1_800_000_000
const machine = (more: Partial<MachineView>) =>
  ({ id: 'm 1', name: 'attic', quarantine: null, connected: true, breakers: [], ...more }) as unknown as MachineView

test('what needs a person comes first, and what a studio may lack for good is no fault', () => {
  const notice = (id: string, level: 'info' | 'warn' | 'error') => ({ id, level, title: id, message: '', action: null })
  const check = (id: string, status: 'ok' | 'warn' | 'fail') => ({ id, label: id, status, detail: 'x', hint: null })
  const facts = factsOf(
    {
      ...NOTHING,
      notices: [
        notice('gpu-unavailable', 'info'),
        notice('settings-invalid', 'warn'),
        notice('jobs-set-aside', 'error'),
        notice('hf-token-missing', 'warn'),
      ],
      checks: [check('hf_token', 'warn'), check('ram', 'ok'), check('disk', 'fail')],
    },
    NOW,
  )
  assert.deepEqual(
    facts.map(({ text, href, isBad }) => [text, href, isBad]),
    [
      ['jobs-set-aside', '#/jobs?state=failed', true],
      ['disk: x', '#/settings/doctor', true],
      ['settings-invalid', '#/settings/doctor', false],
    ],
  )
  assert.deepEqual(factsOf(NOTHING, NOW), [])
})

test('a machine is named with its fault, and an offline one is none', () => {
  const machines = [
    machine({ connected: false, stale: true }),
    machine({ breakers: [{ state: 'open' }] as unknown as MachineView['breakers'] }),
    machine({ stale: true }),
    machine({ quarantine: 'two keys' }),
  ]
  const facts = factsOf({ ...NOTHING, machines, expiresAt: NOW + 2.5 * 86_400 }, NOW)
  assert.deepEqual(
    facts.map(({ href, isBad }) => [href, isBad]),
    [
      ['#/machines/m%201', true],
      ['#/machines/m%201', false],
      ['#/machines/m%201', false],
      ['#/machines/security', false],
    ],
  )
  assert.match(facts.at(-1)!.text, /in 2 days/)
  assert.equal(daysUntil(NOW - 5, NOW), 0)
})
