import { expect, it } from 'vitest'
import { outputFor } from '../../plugin/testing.ts'
import kafka from '../outputs/kafka.ts'

it('the kafka output says which package is missing', async () => {
  const { instance } = outputFor(kafka, { topic_id: 't' })
  await expect(instance.register!()).rejects.toThrow(
    'The kafka output needs the package @platformatic/kafka: npm install @platformatic/kafka',
  )
  await instance.close!()
})
