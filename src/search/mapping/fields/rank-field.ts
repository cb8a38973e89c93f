/**
 * `rank_feature`, one positive number, and `rank_features`, an object of them. Stored as floats of nine significant
 * bits; with a negative score impact, as the reciprocal.
 */

import { illegalArgument } from '../../request/errors.ts'
import { javaDouble, javaText } from '../../request/java-text.ts'
import { JsonNumber } from '../../request/json-literals.ts'
import { isObject } from '../../request/json-object.ts'
import { featureBits, featureOfBits } from '../../segment/encoding/feature-value.ts'
import type { DocumentFields } from '../documents/document-fields.ts'
import type { FieldSetup } from '../field-setup.ts'
import { OpaqueField } from './geo-fields.ts'
import { columnSpec } from './number-field.ts'

const minFeature = 1.17549435e-38

export class RankField extends OpaqueField {
  readonly #isPositive: boolean

  constructor(setup: FieldSetup) {
    super(setup, true)
    this.#isPositive = setup.flag('positive_score_impact', true)
  }

  override add(value: unknown, into: DocumentFields): void {
    if (this.type === 'rank_feature') {
      this.#addFeature(this.name, value, into)
      return
    }
    if (!isObject(value)) {
      throw illegalArgument(
        '[rank_features] fields must be json objects, expected a START_OBJECT but got: VALUE',
      )
    }
    into.of(this.name, columnSpec)
    for (const [name, item] of Object.entries(value)) {
      if (item !== null) this.#addFeature(`${this.name}.${name}`, item, into)
    }
  }

  #addFeature(name: string, value: unknown, into: DocumentFields): void {
    const given: unknown = Array.isArray(value) ? value[0] : value
    const field = into.of(name, columnSpec)
    if ((Array.isArray(value) && value.length > 1) || field.numbers !== undefined) {
      throw illegalArgument(
        `[${this.type}] fields do not support indexing multiple values for the same field [${name}] in the same document`,
      )
    }
    const number = given instanceof JsonNumber ? given.value : Number(given)
    if (Number.isNaN(number)) throw illegalArgument(`For input string: "${javaText(given)}"`)
    if (!(number >= minFeature)) {
      throw illegalArgument(
        `featureValue must be a positive normal float, got: ${javaDouble(Number(given))} for feature ${name} on field _feature which is less than the minimum positive normal float: 1.1754944E-38`,
      )
    }
    field.addNumber(featureOfBits(featureBits(this.#isPositive ? number : 1 / number)))
  }
}
