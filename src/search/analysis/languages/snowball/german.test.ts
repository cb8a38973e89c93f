/**
 * Stems that the Snowball project's own stemmer gives (version 3.1). That has further rules since Lucene 10 took the
 * algorithm, for -et, -erin and -ln; the words here are the same in both.
 */
import { describe, expect, it } from 'vitest'
import { german } from './german.ts'

const pairs = (text: string): string[][] =>
  text
    .trim()
    .split(/\s+/)
    .map((pair) => pair.split('>'))

describe('the German stemmer', () => {
  it.each(
    pairs(`
      haus>haus hauses>haus häuser>haus häusern>haus katze>katz katzen>katz kind>kind kinder>kind
      kindern>kind äcker>ack äckern>ack ackers>ack armes>arm bedürfnis>bedurfnis bedürfnissen>bedurfnis
      derbsten>derb aufeinander>aufeinand aufeinanderfolge>aufeinanderfolg aufenthalt>aufenthalt
      aufenthalten>aufenthalt aufenthaltes>aufenthalt auferstehung>aufersteh aufgeben>aufgeb
      aufgeblasenen>aufgeblas aufgeführt>aufgefuhrt aufgeklärten>aufgeklart aufgefundenen>aufgefund
      kategorie>kategori kategorien>kategori kategorischen>kategor kater>kat katers>kat katholische>kathol
      katholischen>kathol kätzchen>katzch freiheit>freiheit freiheiten>freiheit freundlichkeit>freundlich
      freundlich>freundlich freundlichen>freundlich freundliche>freundlich möglichkeit>moglich
      möglichkeiten>moglich regierung>regier regierungen>regier beschäftigung>beschaft
      beschäftigungen>beschaft schönheit>schonheit schönste>schon schönsten>schon schöner>schon quelle>quell
      quellen>quell feuer>feu feuers>feu strasse>strass straße>strass straßen>strass neue>neu neuen>neu
      neuer>neu neues>neu bauer>bau bauern>bau treue>treu mauern>mau königin>konigin goethe>goth göthe>goth
      haeuser>haus ueber>uber über>uber aerger>arg ärger>arg abenteuer>abenteu abenteuers>abenteu
      gegenüber>gegenub musik>musik musikalisch>musikal politik>polit politisch>polit politischen>polit
      dringend>dringend dringende>dringend einigung>einig eigentlich>eigent eigentum>eigentum ewigkeit>ewig
      traurigkeit>traurig herrlichkeit>herrlich wesentlich>wesent wesentlichen>wesent amerikanisch>amerikan
      bestes>best beste>best gefährlichsten>gefahr erkenntnisse>erkenntnis schulden>schuld tages>tag
      tagen>tag äußerst>ausserst größte>grosst
    `),
  )('stems %s to %s', (word, stem) => {
    expect(german(word!)).toBe(stem)
  })

  it('knows no rules that came after Lucene 10', () => {
    expect(german('lehrerin')).toBe('lehrerin')
  })

  it('takes no -em off -system', () => {
    expect(german('system')).toBe('system')
    expect(german('heimatsystem')).toBe('heimatsystem')
    expect(german('systeme')).toBe('system')
  })

  it('writes ß as two letters', () => {
    expect(german('ßßßß')).toBe('ssssssss')
  })
})
