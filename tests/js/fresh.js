// Every page has its scripts anew, with all that they import: where node keeps them, their address names the page.

const PAGE = /\?page=\d+$/;

export async function resolve(specifier, context, next) {
  const [page] = PAGE.exec(context.parentURL ?? "") ?? [];
  const found = await next(page && specifier.startsWith(".") ? specifier + page : specifier, context);
  return PAGE.test(found.url) ? { ...found, format: "module" } : found;
}
