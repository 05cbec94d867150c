import { BaseRouter, normalizePath, type Reflection, ReflectionKind } from 'typedoc';
import { modulePath, pageOf } from '../documents/site-path.ts';

/** Gives documents the address of their file, and exports one below their module. */
export class SiteRouter extends BaseRouter {
  protected override getIdealBaseName(reflection: Reflection): string {
    const file = reflection.isDocument() && reflection.project.files.getReflectionPath(reflection);
    if (file) return pageOf(normalizePath(file)).replace(/\.html$/, '');
    if (reflection.kindOf(ReflectionKind.Module)) return modulePath(reflection.name);
    return `${this.getIdealBaseName(reflection.parent as Reflection)}/${this.getUrlSafeName(reflection.name)}`;
  }

  protected override getFileName(baseName: string): string {
    return super.getFileName(baseName === 'modules' ? 'api' : baseName);
  }
}
