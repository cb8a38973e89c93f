/** Stems as OpenSearch 3.8 gives them. */
import { describe, expect, it } from 'vitest'
import { Analysis } from '../analysis.ts'
import { TokenBuffer } from '../token-buffer.ts'

const buffer = new TokenBuffer()

function terms(analyzer: string, text: string): string {
  new Analysis().analyzer(analyzer).analyze(text, buffer)
  return buffer.terms.slice(0, buffer.length).join(' ')
}

describe('analyzers of languages', () => {
  it.each([
    [
      'german',
      'die Häuser der großen Mädchen laufen schneller und ältesten Bäckerin Steuern',
      'haus gross madch lauf schnell alt backerin steu',
    ],
    [
      'french',
      "l'avion des chevaux rapidement nationalisation actrice heureuses premières journaux magnifiques personnellement organisateurs",
      'avion cheval rapid national acteu heureu premier journal magnif personel organis',
    ],
    [
      'spanish',
      'las canciones rápidas luces ingleses árboles perros traducciones',
      'cancion rapid luz ingles arbol perr traduccion',
    ],
    [
      'italian',
      "dell'amicizia ragazzi chiese formaggi bellissime città giocatrici",
      'amiciz ragazz chies formagg bellissim città giocatric',
    ],
    [
      'portuguese',
      'os livros animais corações papéis lentamente professora portuguesas alemães',
      'livr animal coraca papel lent professor portugues alema',
    ],
    [
      'dutch',
      'lichamelijk lichamelijkheden opgroeien maten katten kinderen eieren bromfietsen werkelijkheid',
      'licham licham opgroei mat kat kinder eier bromfiets werkelijk',
    ],
    [
      'russian',
      'вагона важнейшие падающего попался ёлка бережность красивыми читали',
      'вагон важн пада попа елк бережн красив чита',
    ],
    [
      'swedish',
      'jaktkarlarne klostergården växtlighet möjligheterna flickornas arbetade',
      'jaktkarl klostergård växt möj flick arbet',
    ],
    ['cjk', '日本語テスト the ABC ｱｲｳ ＡＢ', '日本 本語 語テ テス スト abc アイ イウ ab'],
    ['fingerprint', 'The quick Quick être yes yes', 'etre quick the yes'],
  ] as const)('%s: %s', (analyzer, text, expected) => {
    expect(terms(analyzer, text)).toBe(expected)
  })
})
