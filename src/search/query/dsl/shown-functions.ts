/** How OpenSearch explains the functions of `function_score` that are no scripts. */
import { javaDouble } from '../../request/java-text.ts'
import { type Decay, type DecayShape, distanceText, type Modifier } from '../../scoring/score-functions.ts'
import type { ShownFunction } from '../exec/compound/function-score-explanation.ts'
import { explained, floatText } from '../exec/explanation.ts'

interface Factor {
  readonly field: string
  readonly factor: number
  readonly modifier: Modifier
  readonly missing: number | undefined
}

export function shownFactor({ field, factor, modifier, missing }: Factor): ShownFunction {
  const instead = missing === undefined ? '' : `?:${javaDouble(missing)}`
  const text = `field value function: ${modifier}(doc['${field}'].value${instead} * factor=${floatText(factor)})`
  return {
    className: 'org.opensearch.common.lucene.search.function.FieldValueFactorFunction',
    explain: (_leaf, _doc, value) => explained(value, text),
  }
}

export function shownRandom(seed: number, field: string | undefined): ShownFunction {
  const text = `random score function (seed: ${seed | 0}, field: ${field ?? null})`
  return {
    className: 'org.opensearch.common.lucene.search.function.RandomScoreFunction',
    explain: (_leaf, _doc, value) => explained(value, text),
  }
}

export function shownDecay(settings: Decay, shape: DecayShape, scale: number): ShownFunction {
  const kind = typeof settings.origin === 'number' ? 'Numeric' : 'Geo'
  const [plain, negative] = [javaDouble(scale), javaDouble(-scale)]
  return {
    className: `org.opensearch.index.query.functionscore.DecayFunctionBuilder$${kind}FieldDataScoreFunction`,
    explain(leaf, doc, value) {
      const distance = distanceText(settings, leaf, doc)
      const text =
        shape === 'gauss'
          ? `exp(-0.5*pow(${distance},2.0)/${negative})`
          : shape === 'exp'
            ? `exp(- ${distance} * ${negative})`
            : `max(0.0, ((${plain} - ${distance})/${plain})`
      return explained(value, `Function for field ${settings.field}:`, [explained(value, text)])
    },
  }
}
