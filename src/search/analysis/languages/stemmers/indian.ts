/**
 * Stemmers of Hindi (Ramanathan and Rao, "A lightweight stemmer for Hindi") and Bengali (Islam, Uddin and Khan, "A light
 * weight stemmer for Bengali"): the longest ending goes, if something is left of the word.
 */
import { linesOf, shortened } from '../ending-lines.ts'

const hindiEndings = linesOf(`
  6 ाएंगी ाएंगे ाऊंगी ाऊंगा ाइयाँ ाइयों ाइयां
  5 ाएगी ाएगा ाओगी ाओगे एंगी ेंगी एंगे ेंगे ूंगी ूंगा ातीं नाओं नाएं ताओं ताएं ियाँ ियों ियां
  4 ाकर ाइए ाईं ाया ेगी ेगा ोगी ोगे ाने ाना ाते ाती ाता तीं ाओं ाएं ुओं ुएं ुआं
  3 कर ाओ िए ाई ाए ने नी ना ते ीं ती ता ाँ ां ों ें
  2 ो े ू ु ी ि ा
`)

export function hindi(word: string): string {
  return shortened(word, hindiEndings)
}

const bengaliEndings = linesOf(`
  9 িয়াছিলাম িতেছিলাম িতেছিলেন ইতেছিলেন িয়াছিলেন ইয়াছিলেন
  8 িতেছিলি িতেছিলে িয়াছিলা িয়াছিলে িতেছিলা িয়াছিলি য়েদেরকে
  7 িতেছিস িতেছেন িয়াছিস িয়াছেন েছিলাম েছিলেন েদেরকে
  6 িতেছি িতেছা িতেছে ছিলাম ছিলেন িয়াছি িয়াছা িয়াছে েছিলে েছিলা য়েদের দেরকে
  5 িলাম িলেন িতাম িতেন িবেন ছিলি ছিলে ছিলা তেছে িতেছ খানা খানি গুলো গুলি য়েরা েদের
  4 লাম িলি ইলি িলে ইলে লেন িলা ইলা তাম িতি ইতি িতে ইতে তেন িতা িবা ইবা িবি ইবি বেন িবে ইবে
  4 ছেন য়োন য়ের েরা দের
  3 িস েন লি লে লা তি তে তা বি বে বা ছি ছা ছে ুন ুক টা টি নি ের তে রা কে
  2 ি ী া ো ে ব ত
`)

export function bengali(word: string): string {
  return shortened(word, bengaliEndings)
}
