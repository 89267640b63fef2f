/** Problems of typed numbers. */
export const numbersTexts = {
  notNumber: 'Enter a number, such as 18 or 2.5.',
  notWhole: 'Enter a whole number, such as 500.',
  ambiguous: (typed: string, one: string, other: string) =>
    `“${typed}” can mean two numbers. Enter ${one} or ${other}.`,
  ambiguousList: (typed: string, several: string) =>
    `“${typed}” can be one number or several. Separate several with semicolons (${several}), or enter one without commas.`,
};
