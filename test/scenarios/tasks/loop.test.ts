// The event loop of the control plane never blocks for long while it generates, encodes and answers 20 requests at the same time.
// The limit is generous because a busy machine slows down every process; `./studio bench loop` measures against the real limit.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Block } from '#bench/support/dubbing/loop-blocks.ts'
import { closeClient, post, startStudio } from '#bench/support/peers.ts'

const GENEROUS_MS = 500
const TEXT = 'While many people ask at once, the studio has to answer each of them without a pause. '.repeat(3)
const FORMATS = ['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm']

test('the event loop keeps running during 20 concurrent speech requests in all formats', async (t) => {
  const studio = await startStudio()
  t.after(async () => {
    closeClient()
    await studio.end()
  })
  const speak = async (format: string) => {
    const { status, body } = await post(studio.port, '/v1/audio/speech', JSON.stringify({ input: TEXT, response_format: format }))
    assert.equal(status, 200, body.toString())
    assert.ok(body.length > 50_000, `${format}: ${body.length} bytes`)
  }
  await studio.ask({ delay: 'start' })
  await Promise.all(Array.from({ length: 20 }, (_, index) => speak(FORMATS[index % FORMATS.length]!)))
  // A program that waits for a processor stands still as well, so the work in one turn of the loop is measured.
  const { maxMs, blocks } = await studio.ask<{ maxMs: number; blocks: Block[] }>({ delay: 'read' })
  const workMs = Math.max(...blocks.map(({ ms }) => ms))
  t.diagnostic(`longest stand-still ${maxMs.toFixed(1)} ms, longest work ${workMs.toFixed(1)} ms`)
  assert.ok(workMs > 0, 'it was watched')
  assert.ok(workMs < GENEROUS_MS, `the loop was blocked by work of ${workMs.toFixed(0)} ms`)
})
