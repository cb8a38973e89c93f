/**
 * Stems that the Snowball project's own stemmer by Porter gives (version 3.1), which was the Dutch one when Lucene 10 took
 * it: words with vowels that count as consonants.
 */
import { expect, it } from 'vitest'
import { dutch } from './dutch.ts'

it.each(
  `maaien>maai draaien>draai zaaien>zaai groeien>groei bloeien>bloei buien>bui ooievaar>ooievar uien>uien
   yoghurt>yoghurt loyaal>loyal royale>royal hobbyist>hobbyist eieren>eier kooien>kooi aiuur>aiur iiie>iiie`
    .split(/\s+/)
    .map((pair) => pair.split('>')),
)('the Dutch stemmer stems %s to %s', (word, stem) => {
  expect(dutch(word!)).toBe(stem)
})
