/** The result, or undefined where it throws one of its declared errors. Any other error is a finding. */
export function throwsOnly(declared, work) {
  try {
    return work();
  } catch (error) {
    if (declared.some((kind) => error instanceof kind)) return undefined;
    throw error;
  }
}
