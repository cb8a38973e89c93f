/** `_ignored`: the names of fields whose value in a document was too long or malformed. */
import type { FieldSpec } from '../../segment/document.ts'

const spec: FieldSpec = { index: 'docs', norms: false, ordinals: true }

export const ignoredField = { name: '_ignored', spec }
