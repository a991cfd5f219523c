// What each row of the catalogue of models must be, so that it can be named over the link and be found by its engine.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MDX_ENGINE } from '#agent/engine/mdx/engine.ts'
import { MDX_MODELS } from '#agent/engine/mdx/models.ts'
import { CATALOGUE } from '#shared/models/catalogue.ts'
import { ModelMessage } from '#shared/protocol/messages.ts'

test('ids and names are unique, and every id can be sent', () => {
  const unique = (values: readonly string[]) => assert.equal(new Set(values).size, values.length)
  unique(CATALOGUE.map(({ id }) => id))
  unique(CATALOGUE.map(({ engine, model }) => `${engine} ${model}`))
  for (const { id } of CATALOGUE) assert.ok(ModelMessage.safeParse({ id }).success, id)
})

test('the separation network finds the file of each of its models', () => {
  const rows = CATALOGUE.filter(({ engine }) => engine === MDX_ENGINE)
  assert.deepEqual(rows.map(({ model }) => model).sort(), Object.keys(MDX_MODELS).sort())
  for (const { model, sources } of rows) {
    const paths = sources.flatMap(({ files }) => files.map(({ path }) => path))
    assert.ok(
      paths.some((path) => path.endsWith(MDX_MODELS[model]!.file)),
      model,
    )
  }
})
