/** Whether a number is a multiple of another, as they are written in decimal: 0.3 is one of 0.1. */
export function isMultipleOf(value: number, step: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(step)) return value % step === 0;
  if (!Number.isFinite(value)) return false;
  const [digits, exponent] = decimal(value);
  const [stepDigits, stepExponent] = decimal(step);
  const least = Math.min(exponent, stepExponent);
  return (digits * 10n ** BigInt(exponent - least)) % (stepDigits * 10n ** BigInt(stepExponent - least)) === 0n;
}

/** A number as whole digits times a power of ten. */
function decimal(value: number): readonly [digits: bigint, exponent: number] {
  const [mantissa = "0", exponent = "0"] = String(Math.abs(value)).split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  return [BigInt(whole + fraction), Number(exponent) - fraction.length];
}
