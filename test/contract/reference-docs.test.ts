import { expect, it } from 'vitest'
import { referencePages, stalePages } from '../../src/plugin/reference/reference-folder.ts'
import { catalogue } from '../../src/plugins/catalogue.ts'

it('the reference pages say what the plugins declare; `npm run docs` renews them', async () => {
  expect(await stalePages('docs/reference', await referencePages(catalogue, 'src/plugins'))).toEqual([])
})
