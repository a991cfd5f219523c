// The speakers of voices: merges against a search through all pairs, and the rules for small groups and a requested number.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FRAMES, ownSpeechIn, roundedToEven, windowStarts } from '#agent/engine/diarize/pyannote/activity.ts'
import { speakersOf, THRESHOLD, unit, type Voice } from '#agent/engine/diarize/pyannote/clusters.ts'
import { centroidLinkage, groupsAfter } from '#agent/engine/diarize/pyannote/linkage.ts'
import { seededRandom } from '#agent/engine/seam/random.ts'

const { signal } = new AbortController()
const SIZE = 16
/** Voices around `speakers` directions, `spread` from them. */
function voicesOf(counts: readonly number[], spread: number, seed: number): Voice[] {
  const random = seededRandom(seed, 0)
  const vector = (scale: number) => Float32Array.from({ length: SIZE }, () => random.gaussian() * scale)
  return counts.flatMap((count) => {
    const direction = unit(vector(1))
    return Array.from({ length: count }, (_, window): Voice => {
      const noise = vector(spread)
      return { window, speaker: 0, frames: FRAMES, vector: direction.map((value, at) => 5 * (value + noise[at]!)) }
    })
  })
}
const numbered = (groups: readonly number[]): number[] => {
  const seen = [...new Set(groups)]
  return groups.map((group) => seen.indexOf(group))
}
const expected = (counts: readonly number[]) => counts.flatMap((count, speaker) => new Array<number>(count).fill(speaker))

test('each merge joins the two groups whose centroids are nearest', async () => {
  for (let seed = 0; seed < 20; seed++) {
    const vectors = voicesOf([7, 5, 9], 0.4, seed).map(({ vector }) => unit(vector))
    const merges = await centroidLinkage(vectors, signal)
    assert.equal(merges.length, vectors.length - 1)
    const groups = new Map(vectors.map((vector, at) => [at, [vector]]))
    const centroid = (members: readonly Float32Array[]) =>
      vectors[0]!.map((_, at) => members.reduce((sum, each) => sum + each[at]! / members.length, 0))
    const apart = (one: Float32Array, other: Float32Array) => Math.hypot(...one.map((value, at) => value - other[at]!))
    let height = 0
    for (const [at, merge] of merges.entries()) {
      const centroids = [...groups.values()].map(centroid)
      const distances = centroids.flatMap((one, index) => centroids.slice(index + 1).map((other) => apart(one, other)))
      assert.ok(Math.abs(Math.min(...distances) - merge.distance) < 1e-5, `seed ${seed}, merge ${at}`)
      const [left, right] = [groups.get(merge.left)!, groups.get(merge.right)!]
      assert.ok(Math.abs(apart(centroid(left), centroid(right)) - merge.distance) < 1e-5)
      assert.equal(merge.size, left.length + right.length)
      groups.delete(merge.left)
      groups.delete(merge.right)
      groups.set(vectors.length + at, [...left, ...right])
      height = Math.max(height, merge.distance)
    }
    assert.ok(Math.abs(merges.at(-1)!.height - height) < 1e-9)
    assert.equal(new Set(groupsAfter(merges, vectors.length, () => true)).size, 1)
    assert.equal(new Set(groupsAfter(merges, vectors.length, (_, at) => at < 5)).size, vectors.length - 5)
  }
})

test('voices of each speaker are found without a number', async () => {
  for (const counts of [[30], [20, 20], [40, 15, 25], [13, 14, 15, 16]])
    assert.deepEqual(numbered(await speakersOf(voicesOf(counts, 0.08, 3), null, THRESHOLD, signal)), expected(counts), counts.join())
})

test('a few strange voices are no speaker: they go to the nearest one', async () => {
  const speakers = await speakersOf(voicesOf([40, 40, 2], 0.08, 5), null, THRESHOLD, signal)
  assert.deepEqual(numbered(speakers.slice(0, 80)), expected([40, 40]))
  assert.equal(new Set(speakers).size, 2)
})

test('a requested number of speakers is kept, also where groups are small or far from the threshold', async () => {
  for (let seed = 0; seed < 10; seed++)
    for (const counts of [[40, 40, 2], [40, 3, 3], [30, 30, 30], [60], [3, 2], [1, 1, 1]])
      for (const wanted of [1, 2, 3]) {
        const voices = voicesOf(counts, 0.15, seed)
        assert.equal(
          new Set(await speakersOf(voices, wanted, THRESHOLD, signal)).size,
          Math.min(wanted, voices.length),
          `${seed}: ${counts}, ${wanted}`,
        )
      }
})

test('short voices found no group, but get a speaker', async () => {
  const voices = [...voicesOf([20, 20], 0.08, 7), ...voicesOf([20, 20], 0.08, 7).map((voice) => ({ ...voice, frames: 20 }))]
  assert.deepEqual(numbered(await speakersOf(voices, null, THRESHOLD, signal)), [...expected([20, 20]), ...expected([20, 20])])
  const short = voicesOf([1, 1], 0.05, 8).map((voice) => ({ ...voice, frames: 20 }))
  assert.equal(new Set(await speakersOf(short, 2, THRESHOLD, signal)).size, 2)
  assert.deepEqual(await speakersOf([], null, THRESHOLD, signal), [])
})

test('a cancelled clustering ends', async () => {
  await assert.rejects(
    centroidLinkage(
      voicesOf([50], 0.1, 1).map(({ vector }) => vector),
      AbortSignal.abort(new Error('enough')),
    ),
    /enough/,
  )
})

test('windows cover the recording, and speech is what a speaker says alone where that is long enough', () => {
  assert.deepEqual(
    [1, 160_000, 160_001, 176_000, 480_000].map((samples) => windowStarts(samples).length),
    [1, 1, 2, 2, 21],
  )
  assert.deepEqual([0.5, 1.5, 2.5, 0.49, 1.51].map(roundedToEven), [0, 2, 2, 0, 2])
  const samples = Float32Array.from({ length: 160_000 }, (_, at) => at)
  const activity = new Uint8Array(FRAMES).fill(0b001, 0, 100).fill(0b011, 100, 200).fill(0b010, 200, 205)
  const first = ownSpeechIn(activity, 0, samples)!
  assert.deepEqual([first.frames, first.samples.length, first.samples[0]], [100, Math.floor((100 * 160_000) / FRAMES), 0])
  const second = ownSpeechIn(activity, 1, samples)!
  assert.deepEqual([second.frames, second.samples[0]], [5, Math.floor((100 * 160_000) / FRAMES)])
  assert.equal(ownSpeechIn(activity, 2, samples), null)
})
