const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/**
 * A number too large to be read digit by digit: rounded, and said to be.
 * @param digits the number's whole part
 * @example large("115792089237") // "≈1.158 × 10¹¹"
 */
export function large(digits: string): string {
  const rounded = (Number(digits.slice(0, 6)) / 10 ** (Math.min(6, digits.length) - 1)).toFixed(3);
  const [figure, power] = rounded === "10.000" ? ["1.000", digits.length] : [rounded, digits.length - 1];
  return `≈${figure} × 10${[...String(power)].map((digit) => RAISED[Number(digit)]).join("")}`;
}
