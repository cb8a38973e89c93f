/** The stemmer `spanish_plural`, after Sánchez, "Spanish plural stemmer": only plurals become singular. */

/** Words that are their own plural, or none. */
const invariant = new Set(
  `
  abrebotellas abrecartas abrelatas afueras albatros albricias aledaños alexis alicates analisis
  andurriales antitesis apendicitis apocalipsis arcoiris aries añicos bilis boletus boris brindis cactus
  canutas caries cascanueces cascarrabias ciempies cifosis corpus cortaplumas cosmos cosquillas creces
  crisis cuatrocientas cuatrocientos cuelgacapas cuentacuentos cuentapasos cumpleaños doscientas
  doscientos dosis enseres entonces esponsales estatus exequias fauces forceps fotosintesis gafas gafotas
  gargaras gris honorarios ictus jueves lapsus lavacoches lavaplatos limpiabotas lunes maitines martes
  mondadientes novecientas novecientos nupcias ochocientas ochocientos pais parabrisas paracaidas
  parachoques paraguas pararrayos paris pisapapeles piscis portaaviones portamaletas portamantas
  quinientas quinientos quitamanchas recogepelotas rictus rompeolas sacacorchos sacapuntas saltamontes
  salvavidas seis seiscientas seiscientos setecientas setecientos sintesis tenis tifus trabalenguas
  vacaciones venus versus viacrucis virus viveres volandas`
    .trim()
    .split(/\s+/),
)

/** Plurals that only lose `es`. */
const irregular = new Set(
  'albalaes albumes bojes carcajes clubes contrarreloj faralaes itemes noes relojes sandwiches sies yoes'.split(
    ' ',
  ),
)

/** The first rule whose end a word has counts. */
const rules: readonly (readonly [end: RegExp, added: string])[] = [
  [/(?<=[^aeiou]|gu[ei]|q..)s$/, ''],
  [/(?<=[aeiou][dlnrx]|[uy]|[lnrtu]i|s)es$/, ''],
  [/(?<=[aeioud])is$/, 'y'],
  [/ces$/, 'z'],
  [/(?<=[aeiou])s$/, ''],
]

const plain = new Map(
  ['aàáâä', 'eèéêë', 'iìíîï', 'oòóôö', 'uùúûü'].flatMap(([to = '', ...accented]) =>
    accented.map((letter): [string, string] => [letter, to]),
  ),
)

export function spanishPlural(given: string): string {
  if (given.length < 4) return given
  const word = given.replace(/[à-ü]/g, (letter) => plain.get(letter) ?? letter)
  if (invariant.has(word)) return word
  if (irregular.has(word)) return word.slice(0, -2)
  const rule = rules.find(([end]) => end.test(word))
  return rule === undefined ? word : word.replace(...rule)
}
