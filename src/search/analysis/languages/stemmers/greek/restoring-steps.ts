/**
 * Steps of the Greek stemmer that take an ending and give part of it back to the stems that end with it: each with its
 * words, and with ends of words.
 */
import { Endings, withEnding } from '../../snowball/regions.ts'

interface RestoringStep {
  readonly endings: string
  readonly restored: string
  /** Stems that get it back. */
  readonly words?: string
  /** Ends of stems that get it back. */
  readonly ends?: string
  /** Last letters of stems that get it back. */
  readonly vowels?: string
  /** Stems, and ends of stems, that do not. */
  readonly butWords?: string
  readonly butEnds?: string
  /** All stems but those listed get it back. */
  readonly isUnlessListed?: boolean
}

function listed(text: string | undefined): readonly string[] {
  return text === undefined ? [] : text.trim().split(/\s+/)
}

type Step = (word: string) => string

/** The lists are read when the first word comes. */
function restoring(rules: RestoringStep): Step {
  let step: Step | undefined
  return (word) => {
    step ??= compiled(rules)
    return step(word)
  }
}

function compiled(step: RestoringStep): Step {
  const endings = new Endings([step.endings, ''])
  const words = new Set(listed(step.words))
  const ends = [...listed(step.ends), ...(step.vowels ?? '')]
  const butWords = new Set(listed(step.butWords))
  const butEnds = listed(step.butEnds)
  const has = (stem: string): boolean =>
    (words.has(stem) || ends.some((end) => stem.endsWith(end))) &&
    !butWords.has(stem) &&
    !butEnds.some((end) => stem.endsWith(end))
  return (word) => {
    // At least one letter is left.
    const ending = endings.of(word, 1)
    if (ending === undefined) return word
    const stem = withEnding(word, ending)
    return has(stem) === (step.isUnlessListed ?? false) ? stem : stem + step.restored
  }
}

export const steps = {
  ades: restoring({
    endings: 'αδεσ αδων',
    restored: 'αδ',
    ends: 'οκ μαμ μαν μπαμπ πατερ γιαγι νταντ κυρ θει πεθερ',
    isUnlessListed: true,
  }),
  edes: restoring({
    endings: 'εδεσ εδων',
    restored: 'εδ',
    ends: 'οπ ιπ εμπ υπ γηπ δαπ κρασπ μιλ',
  }),
  oudes: restoring({
    endings: 'ουδεσ ουδων',
    restored: 'ουδ',
    ends: 'αρκ καλιακ πεταλ λιχ πλεξ σκ σ φλ φρ βελ λουλ χν σπ τραγ φε',
  }),
  eos: restoring({
    endings: 'εωσ εων',
    restored: 'ε',
    words: 'γαλ δ ελ θ ιδ ν π παρ',
  }),
  ia: restoring({
    endings: 'ια ιου ιων',
    restored: 'ι',
    vowels: 'αεηιουω',
  }),
  ika: restoring({
    endings: 'ικα ικο ικου ικων',
    restored: 'ικ',
    words: `
      αδ αλ αμαν αμμοχαλ ανηθ αντιδ βρωμ γερ ενδ εξωδ ηθ καλλιν καλπ καταδ μουλ μπαγιατ μπαν μπολ μποσ
      νιτ ξικ πετσ πικαντ πιτσ πλιατσ ποστελν πρωτοδ σερτ συναδ συνομηλ τσαμ υποδ φιλον φυλοδ φυσ χασ`,
    vowels: 'αεηιουω',
  }),
  ame: restoring({
    endings: 'αμε',
    restored: 'αμ',
    words: 'αναπ αποθ αποκ αποστ βουβ ξεθ ουλ πεθ πικρ ποτ σιχ χ',
  }),
  ane: restoring({
    endings: 'ανε',
    restored: 'αν',
    words: `
      αγ αδαπ αθιγγ αμερικαν αμηχ ανικ ανοργ απηγ απιθ ατσιγγ βαθυγαλ βασ βασκ βετερ βιομηχ βουλκ
      βραχμ βραχυκ γ γαλ γερ δεκ διατ διαφ διπλ δραδουμ ενοργ ερ ζωντ θ θυσ ικ καλπουζ καπνοβιομηχ
      καστ καστελ καταγαλ κλιβ κοιλαρφ κοπ κορμορ λαοπλ λιβ λιχ λουθηρ μ μαιντ μεγλοβιομηχ μελ
      μικροβιομηχ μουσουλμ μωαμεθ ν νταβ ξηροκλιβ ολιγοδαμ ολογαλ ορφ ουλ ουρ π πελεκ πενταρφ περηφ
      περιτρ πιθ πλ πλατ πολισ πολυδαπ πολυμηχ πορτολ πουριτ σ σαρακατσ σιγ σουλτ σπ στεγ στεφ ταβ τετ
      τραγ τσαγ τσαρλατ τσιγγ τσοπ υπερηφ υποκοπ φ φωτοστεφ χ χαμηλοδαπ ψηλοταβ ψυχοπλ`,
    vowels: 'αεηιοω',
  }),
  ete: restoring({
    endings: 'ετε',
    restored: 'ετ',
    words: `
      αβαρ αβρ αδ αθ αν απλ βαρον βεν δ εμ εναρ θ θαρρ κοπ μπορ νιφ ντρ παγ παρακαλ σερπ σκ σκελ συρφ
      τοκ υ`,
    ends: `
      οδ αιρ φορ ταθ διαθ σχ ενδ ευρ τιθ υπερθ ραθ ενθ ροθ σθ πυρ αιν συνδ συν συνθ χωρ πον βρ καθ ευθ
      εκθ νετ ρον αρκ βαρ βολ ωφελ`,
    vowels: 'αεηιοω',
  }),
  ieste: restoring({
    endings: 'ιεστε',
    restored: 'ιεστ',
    words: 'ακαταπ αμεταμφ απ ασυμπ π συμπ',
  }),
  este: restoring({
    endings: 'εστε',
    restored: 'εστ',
    words: 'αλ αρ εκτελ ζ μ νισ ξ παρακαλ προ',
  }),
  ike: restoring({
    endings: 'ηκα ηκε ηκεσ',
    restored: 'ηκ',
    words: 'διαθ θ παρακαταθ προσθ συνθ',
    ends: 'σκωλ σκουλ ναρθ σφ οθ πιθ',
  }),
  ousa: restoring({
    endings: 'ουσα ουσε ουσεσ',
    restored: 'ουσ',
    words: `
      αγκ αιθ αμ αναρρ ανηκ βρομ δε δεσποζ δευτερευ εκλιπ ενδιαφερ καθαρευ λ λαμπιδ λεχ μ μεδ μεσαζ
      πατ πλε ρ τσα υποτειν φαρμακ χαδ`,
    ends: 'ποδαρ βλεπ πανταχ φρυδ μαντιλ μαλλ κυματ λαχ ληγ φαγ ομ πρωτ',
    vowels: 'αεηιουω',
  }),
  aga: restoring({
    endings: 'αγα αγε αγεσ',
    restored: 'αγ',
    words: `
      αβαστ αδηφ αειπ αιμοστ αμαλ αμαλλι ανυπ ανυστ απερ αποτ αρτιπ ασπ ασπαρ αφ αχαρ δερβεν διατ
      δροσοπ εν επιτ κροκαλοπ λ μ ναυ νεοπ νομοτ ξεφ ολοπ ομοτ ουλαμ ουρ π παμφ πολυφ προστ προσωποπ ρ
      σιδηροπ συμπ συντ τ τρ υποτ χαρ`,
    ends: 'οφ πελ χορτ λλ σφ ρπ φρ πρ λοχ σμην',
    butWords: 'ναυλοχ ψοφ',
    butEnds: 'κολλ',
  }),
  isou: restoring({
    endings: 'ησου ησε ησα',
    restored: 'ησ',
    words: 'δωδεκαν επταν ερημον μεγαλον ν χερσον',
  }),
  iste: restoring({
    endings: 'ηστε',
    restored: 'ηστ',
    words: 'αειμν απλ ασβ αχρ δυσχρ ευχρ κοινοχρ παλιμψ σβ χρ',
  }),
  oune: restoring({
    endings: 'ησουνε ηθουνε ουνε',
    restored: 'ουν',
    words: 'εξων κακομουτσ ν ρ σπι στραβομουτσ',
  }),
  oume: restoring({
    endings: 'ησουμε ηθουμε ουμε',
    restored: 'ουμ',
    words: 'αζ αλλοσουσ ασουσ παρασουσ φ χ ωριοπλ',
  }),
}
