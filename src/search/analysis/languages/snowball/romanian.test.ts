/** Stems that the Snowball project's own stemmer gives (version 3.1). */
import { describe, expect, it } from 'vitest'
import { romanian } from './romanian.ts'

const pairs = (text: string): string[][] =>
  text
    .trim()
    .split(/\s+/)
    .map((pair) => pair.split('>'))

describe('the Romanian stemmer', () => {
  it.each(
    pairs(`
      abruptă>abrupt abruptul>abrupt absent>absent absenta>absent absență>absenț absente>absent
      absenți>absenț absolut>absol absoluta>absol absolutul>absol absolvenți>absolvenț absorbant>absorb
      absorbantă>absorb abstract>abstract abstractă>abstract abstractizare>abstractiz abundența>abundenț
      ocol>ocol ocolea>ocol ocolească>ocol ocoli>ocol ocolind>ocol ocolire>ocol ocolit>ocol ocolită>ocol
      ocoliți>ocol ocoliș>ocoliș ocolișul>ocoliș ocolul>ocol ocupa>ocup ocupă>ocup ocupant>ocup
      ocupanților>ocupanț ocupare>ocup ocupat>ocup ocupată>ocup ocupație>ocup ocupația>ocup casă>cas
      casa>cas case>cas caselor>cas carte>cart cărți>cărț cărții>cărț cărților>cărț copil>copil
      copilul>copil copiii>copii copiilor>cop fată>fat fete>fet fetele>fet fetelor>fet mare>mar mari>mar
      maree>mare națiune>națiun națiuni>națiun națiunea>națiun național>național naționale>național
      naționalitate>național naționalități>național posibil>posibil posibilitate>posibil
      posibilități>posibil activ>activ activitate>activ activități>activ comunicare>comunic
      comunicativ>comunic comunicator>comun publicitate>public educație>educ educațional>educațional
      frumos>frumos frumoasă>frumoas frumoși>frumoș turist>turist turiști>turișt turism>turism lucrez>lucr
      lucrează>lucr lucrând>lucr lucram>lucr lucrasem>lucr vorbesc>vorb vorbește>vorb vorbeau>vorb
      vorbisem>vorb vorbiserăm>vorb plâns>plâns plângând>plâng ploaie>ploai ploii>ploi noiembrie>noiembr
      voiau>voiau stațiune>stațiun stațiunile>stațiun muzical>muzic muzicală>muzic şcoală>școal şcolile>școl
      ţară>țar ţării>țăr țările>țăr mulţi>mulț
    `),
  )('stems %s to %s', (word, stem) => {
    expect(romanian(word!)).toBe(stem)
  })

  it('reads a cedilla as a comma', () => {
    expect(romanian('mulţi')).toBe(romanian('mulți'))
  })
})
