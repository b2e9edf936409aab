/** A package that only some installations have. It is loaded when a setting asks for it, so that others need not install it. */
export async function loadOptional<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if ((error as { code?: unknown }).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new Error(`the package ${name} is not installed: npm install ${name}`);
  }
}
