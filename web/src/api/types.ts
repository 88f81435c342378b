// Made from /openapi.json by `npm run types`; do not edit.

export interface paths {
    "/api/v1/administration/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List users' personal tokens */
        get: {
            parameters: {
                query?: {
                    createdBy?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UsersToken"][];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/administration/tokens/{tokenId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke a user's personal token */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    tokenId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/administration/user-applications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List users' own applications */
        get: {
            parameters: {
                query?: {
                    clientId?: string;
                    createdBy?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OwnApplication"][];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/administration/user-applications/{appId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a user's own application */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    appId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/apps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List applications */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Application"][];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Create an application */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ApplicationDraft"];
                };
            };
            responses: {
                /** @description Success */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ApplicationCreated"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/apps/{appId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an application */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    appId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Application"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Delete an application */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    appId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /** Enable or disable an application */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    appId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ApplicationEdit"];
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Application"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/v1/apps/{appId}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make a new secret; the old one ends */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    appId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Secret"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/asset/compute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List assets of kind compute */
        get: {
            parameters: {
                query?: {
                    assetIds?: string;
                    clusterId?: string;
                    complyToProject?: number;
                    complyToReplicaType?: "Worker" | "Master";
                    complyToWorkloadType?: "Workspace" | "Training" | "Distributed" | "Inference";
                    departmentId?: string;
                    distributedFramework?: string;
                    isDistributed?: boolean;
                    isInference?: boolean;
                    isTraining?: boolean;
                    isWorkspace?: boolean;
                    name?: string;
                    projectId?: number;
                    scope?: string;
                    statusInfo?: boolean;
                    usageInfo?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetList"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Create a compute resource */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ComputeDraft"];
                };
            };
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/asset/compute/{AssetId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a compute resource */
        get: {
            parameters: {
                query?: {
                    assetIds?: string;
                    clusterId?: string;
                    complyToProject?: number;
                    complyToReplicaType?: "Worker" | "Master";
                    complyToWorkloadType?: "Workspace" | "Training" | "Distributed" | "Inference";
                    departmentId?: string;
                    distributedFramework?: string;
                    isDistributed?: boolean;
                    isInference?: boolean;
                    isTraining?: boolean;
                    isWorkspace?: boolean;
                    name?: string;
                    projectId?: number;
                    scope?: string;
                    statusInfo?: boolean;
                    usageInfo?: boolean;
                };
                header?: never;
                path: {
                    AssetId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        /** Update a compute resource */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    AssetId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ComputeUpdate"];
                };
            };
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        post?: never;
        /** Delete a compute resource */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    AssetId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Accepted"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/asset/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List credentials of all kinds */
        get: {
            parameters: {
                query?: {
                    assetIds?: string;
                    clusterId?: string;
                    complyToProject?: number;
                    complyToReplicaType?: "Worker" | "Master";
                    complyToWorkloadType?: "Workspace" | "Training" | "Distributed" | "Inference";
                    departmentId?: string;
                    distributedFramework?: string;
                    isDistributed?: boolean;
                    isInference?: boolean;
                    isTraining?: boolean;
                    isWorkspace?: boolean;
                    name?: string;
                    projectId?: number;
                    scope?: string;
                    statusInfo?: boolean;
                    usageInfo?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetList"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/asset/credentials/access-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List assets of kind accessKey */
        get: {
            parameters: {
                query?: {
                    assetIds?: string;
                    clusterId?: string;
                    complyToProject?: number;
                    complyToReplicaType?: "Worker" | "Master";
                    complyToWorkloadType?: "Workspace" | "Training" | "Distributed" | "Inference";
                    departmentId?: string;
                    distributedFramework?: string;
                    isDistributed?: boolean;
                    isInference?: boolean;
                    isTraining?: boolean;
                    isWorkspace?: boolean;
                    name?: string;
                    projectId?: number;
                    scope?: string;
                    statusInfo?: boolean;
                    usageInfo?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetList"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Create a access key */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AccessKeyDraft"];
                };
            };
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/asset/credentials/access-key/{AssetId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a access key */
        get: {
            parameters: {
                query?: {
                    assetIds?: string;
                    clusterId?: string;
                    complyToProject?: number;
                    complyToReplicaType?: "Worker" | "Master";
                    complyToWorkloadType?: "Workspace" | "Training" | "Distributed" | "Inference";
                    departmentId?: string;
                    distributedFramework?: string;
                    isDistributed?: boolean;
                    isInference?: boolean;
                    isTraining?: boolean;
                    isWorkspace?: boolean;
                    name?: string;
                    projectId?: number;
                    scope?: string;
                    statusInfo?: boolean;
                    usageInfo?: boolean;
                };
                header?: never;
                path: {
                    AssetId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        /** Update a access key */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    AssetId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AccessKeyUpdate"];
                };
            };
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        post?: never;
        /** Delete a access key */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    AssetId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Accepted"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/asset/credentials/docker-registry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List assets of kind dockerRegistry */
        get: {
            parameters: {
                query?: {
                    assetIds?: string;
                    clusterId?: string;
                    complyToProject?: number;
                    complyToReplicaType?: "Worker" | "Master";
                    complyToWorkloadType?: "Workspace" | "Training" | "Distributed" | "Inference";
                    departmentId?: string;
                    distributedFramework?: string;
                    isDistributed?: boolean;
                    isInference?: boolean;
                    isTraining?: boolean;
                    isWorkspace?: boolean;
                    name?: string;
                    projectId?: number;
                    scope?: string;
                    statusInfo?: boolean;
                    usageInfo?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetList"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Create a docker registry credential */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DockerRegistryDraft"];
                };
            };
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/asset/credentials/docker-registry/{AssetId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a docker registry credential */
        get: {
            parameters: {
                query?: {
                    assetIds?: string;
                    clusterId?: string;
                    complyToProject?: number;
                    complyToReplicaType?: "Worker" | "Master";
                    complyToWorkloadType?: "Workspace" | "Training" | "Distributed" | "Inference";
                    departmentId?: string;
                    distributedFramework?: string;
                    isDistributed?: boolean;
                    isInference?: boolean;
                    isTraining?: boolean;
                    isWorkspace?: boolean;
                    name?: string;
                    projectId?: number;
                    scope?: string;
                    statusInfo?: boolean;
                    usageInfo?: boolean;
                };
                header?: never;
                path: {
                    AssetId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        /** Update a docker registry credential */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    AssetId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DockerRegistryUpdate"];
                };
            };
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        post?: never;
        /** Delete a docker registry credential */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    AssetId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Accepted"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/asset/credentials/generic-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List assets of kind genericSecret */
        get: {
            parameters: {
                query?: {
                    assetIds?: string;
                    clusterId?: string;
                    complyToProject?: number;
                    complyToReplicaType?: "Worker" | "Master";
                    complyToWorkloadType?: "Workspace" | "Training" | "Distributed" | "Inference";
                    departmentId?: string;
                    distributedFramework?: string;
                    isDistributed?: boolean;
                    isInference?: boolean;
                    isTraining?: boolean;
                    isWorkspace?: boolean;
                    name?: string;
                    projectId?: number;
                    scope?: string;
                    statusInfo?: boolean;
                    usageInfo?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetList"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Create a generic secret */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["GenericSecretDraft"];
                };
            };
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/asset/credentials/generic-secret/{AssetId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a generic secret */
        get: {
            parameters: {
                query?: {
                    assetIds?: string;
                    clusterId?: string;
                    complyToProject?: number;
                    complyToReplicaType?: "Worker" | "Master";
                    complyToWorkloadType?: "Workspace" | "Training" | "Distributed" | "Inference";
                    departmentId?: string;
                    distributedFramework?: string;
                    isDistributed?: boolean;
                    isInference?: boolean;
                    isTraining?: boolean;
                    isWorkspace?: boolean;
                    name?: string;
                    projectId?: number;
                    scope?: string;
                    statusInfo?: boolean;
                    usageInfo?: boolean;
                };
                header?: never;
                path: {
                    AssetId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        /** Update a generic secret */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    AssetId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["GenericSecretUpdate"];
                };
            };
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        post?: never;
        /** Delete a generic secret */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    AssetId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/asset/credentials/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List assets of kind password */
        get: {
            parameters: {
                query?: {
                    assetIds?: string;
                    clusterId?: string;
                    complyToProject?: number;
                    complyToReplicaType?: "Worker" | "Master";
                    complyToWorkloadType?: "Workspace" | "Training" | "Distributed" | "Inference";
                    departmentId?: string;
                    distributedFramework?: string;
                    isDistributed?: boolean;
                    isInference?: boolean;
                    isTraining?: boolean;
                    isWorkspace?: boolean;
                    name?: string;
                    projectId?: number;
                    scope?: string;
                    statusInfo?: boolean;
                    usageInfo?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetList"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Create a password */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PasswordDraft"];
                };
            };
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/asset/credentials/password/{AssetId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a password */
        get: {
            parameters: {
                query?: {
                    assetIds?: string;
                    clusterId?: string;
                    complyToProject?: number;
                    complyToReplicaType?: "Worker" | "Master";
                    complyToWorkloadType?: "Workspace" | "Training" | "Distributed" | "Inference";
                    departmentId?: string;
                    distributedFramework?: string;
                    isDistributed?: boolean;
                    isInference?: boolean;
                    isTraining?: boolean;
                    isWorkspace?: boolean;
                    name?: string;
                    projectId?: number;
                    scope?: string;
                    statusInfo?: boolean;
                    usageInfo?: boolean;
                };
                header?: never;
                path: {
                    AssetId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        /** Update a password */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    AssetId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PasswordUpdate"];
                };
            };
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        post?: never;
        /** Delete a password */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    AssetId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Accepted"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/asset/datasource": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List data sources of all kinds */
        get: {
            parameters: {
                query?: {
                    assetIds?: string;
                    clusterId?: string;
                    complyToProject?: number;
                    complyToReplicaType?: "Worker" | "Master";
                    complyToWorkloadType?: "Workspace" | "Training" | "Distributed" | "Inference";
                    departmentId?: string;
                    distributedFramework?: string;
                    isDistributed?: boolean;
                    isInference?: boolean;
                    isTraining?: boolean;
                    isWorkspace?: boolean;
                    name?: string;
                    projectId?: number;
                    scope?: string;
                    statusInfo?: boolean;
                    usageInfo?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetList"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/asset/datasource/config-map": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List assets of kind config-map */
        get: {
            parameters: {
                query?: {
                    assetIds?: string;
                    clusterId?: string;
                    complyToProject?: number;
                    complyToReplicaType?: "Worker" | "Master";
                    complyToWorkloadType?: "Workspace" | "Training" | "Distributed" | "Inference";
                    departmentId?: string;
                    distributedFramework?: string;
                    isDistributed?: boolean;
                    isInference?: boolean;
                    isTraining?: boolean;
                    isWorkspace?: boolean;
                    name?: string;
                    projectId?: number;
                    scope?: string;
                    statusInfo?: boolean;
                    usageInfo?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetList"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Create a data source */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ConfigMapDraft"];
                };
            };
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/asset/datasource/config-map/{AssetId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a data source */
        get: {
            parameters: {
                query?: {
                    assetIds?: string;
                    clusterId?: string;
                    complyToProject?: number;
                    complyToReplicaType?: "Worker" | "Master";
                    complyToWorkloadType?: "Workspace" | "Training" | "Distributed" | "Inference";
                    departmentId?: string;
                    distributedFramework?: string;
                    isDistributed?: boolean;
                    isInference?: boolean;
                    isTraining?: boolean;
                    isWorkspace?: boolean;
                    name?: string;
                    projectId?: number;
                    scope?: string;
                    statusInfo?: boolean;
                    usageInfo?: boolean;
                };
                header?: never;
                path: {
                    AssetId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        /** Update a data source */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    AssetId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ConfigMapUpdate"];
                };
            };
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        post?: never;
        /** Delete a data source */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    AssetId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Accepted"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/asset/datasource/git": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List assets of kind git */
        get: {
            parameters: {
                query?: {
                    assetIds?: string;
                    clusterId?: string;
                    complyToProject?: number;
                    complyToReplicaType?: "Worker" | "Master";
                    complyToWorkloadType?: "Workspace" | "Training" | "Distributed" | "Inference";
                    departmentId?: string;
                    distributedFramework?: string;
                    isDistributed?: boolean;
                    isInference?: boolean;
                    isTraining?: boolean;
                    isWorkspace?: boolean;
                    name?: string;
                    projectId?: number;
                    scope?: string;
                    statusInfo?: boolean;
                    usageInfo?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetList"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Create a data source */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["GitDraft"];
                };
            };
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/asset/datasource/git/{AssetId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a data source */
        get: {
            parameters: {
                query?: {
                    assetIds?: string;
                    clusterId?: string;
                    complyToProject?: number;
                    complyToReplicaType?: "Worker" | "Master";
                    complyToWorkloadType?: "Workspace" | "Training" | "Distributed" | "Inference";
                    departmentId?: string;
                    distributedFramework?: string;
                    isDistributed?: boolean;
                    isInference?: boolean;
                    isTraining?: boolean;
                    isWorkspace?: boolean;
                    name?: string;
                    projectId?: number;
                    scope?: string;
                    statusInfo?: boolean;
                    usageInfo?: boolean;
                };
                header?: never;
                path: {
                    AssetId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        /** Update a data source */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    AssetId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["GitUpdate"];
                };
            };
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        post?: never;
        /** Delete a data source */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    AssetId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Accepted"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/asset/datasource/host-path": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List assets of kind hostPath */
        get: {
            parameters: {
                query?: {
                    assetIds?: string;
                    clusterId?: string;
                    complyToProject?: number;
                    complyToReplicaType?: "Worker" | "Master";
                    complyToWorkloadType?: "Workspace" | "Training" | "Distributed" | "Inference";
                    departmentId?: string;
                    distributedFramework?: string;
                    isDistributed?: boolean;
                    isInference?: boolean;
                    isTraining?: boolean;
                    isWorkspace?: boolean;
                    name?: string;
                    projectId?: number;
                    scope?: string;
                    statusInfo?: boolean;
                    usageInfo?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetList"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Create a data source */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["HostPathDraft"];
                };
            };
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/asset/datasource/host-path/{AssetId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a data source */
        get: {
            parameters: {
                query?: {
                    assetIds?: string;
                    clusterId?: string;
                    complyToProject?: number;
                    complyToReplicaType?: "Worker" | "Master";
                    complyToWorkloadType?: "Workspace" | "Training" | "Distributed" | "Inference";
                    departmentId?: string;
                    distributedFramework?: string;
                    isDistributed?: boolean;
                    isInference?: boolean;
                    isTraining?: boolean;
                    isWorkspace?: boolean;
                    name?: string;
                    projectId?: number;
                    scope?: string;
                    statusInfo?: boolean;
                    usageInfo?: boolean;
                };
                header?: never;
                path: {
                    AssetId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        /** Update a data source */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    AssetId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["HostPathUpdate"];
                };
            };
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        post?: never;
        /** Delete a data source */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    AssetId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Accepted"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/asset/datasource/nfs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List assets of kind nfs */
        get: {
            parameters: {
                query?: {
                    assetIds?: string;
                    clusterId?: string;
                    complyToProject?: number;
                    complyToReplicaType?: "Worker" | "Master";
                    complyToWorkloadType?: "Workspace" | "Training" | "Distributed" | "Inference";
                    departmentId?: string;
                    distributedFramework?: string;
                    isDistributed?: boolean;
                    isInference?: boolean;
                    isTraining?: boolean;
                    isWorkspace?: boolean;
                    name?: string;
                    projectId?: number;
                    scope?: string;
                    statusInfo?: boolean;
                    usageInfo?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetList"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Create a data source */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NfsDraft"];
                };
            };
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/asset/datasource/nfs/{AssetId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a data source */
        get: {
            parameters: {
                query?: {
                    assetIds?: string;
                    clusterId?: string;
                    complyToProject?: number;
                    complyToReplicaType?: "Worker" | "Master";
                    complyToWorkloadType?: "Workspace" | "Training" | "Distributed" | "Inference";
                    departmentId?: string;
                    distributedFramework?: string;
                    isDistributed?: boolean;
                    isInference?: boolean;
                    isTraining?: boolean;
                    isWorkspace?: boolean;
                    name?: string;
                    projectId?: number;
                    scope?: string;
                    statusInfo?: boolean;
                    usageInfo?: boolean;
                };
                header?: never;
                path: {
                    AssetId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        /** Update a data source */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    AssetId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NfsUpdate"];
                };
            };
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        post?: never;
        /** Delete a data source */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    AssetId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Accepted"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/asset/datasource/pvc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List assets of kind pvc */
        get: {
            parameters: {
                query?: {
                    assetIds?: string;
                    clusterId?: string;
                    complyToProject?: number;
                    complyToReplicaType?: "Worker" | "Master";
                    complyToWorkloadType?: "Workspace" | "Training" | "Distributed" | "Inference";
                    departmentId?: string;
                    distributedFramework?: string;
                    isDistributed?: boolean;
                    isInference?: boolean;
                    isTraining?: boolean;
                    isWorkspace?: boolean;
                    name?: string;
                    projectId?: number;
                    scope?: string;
                    statusInfo?: boolean;
                    usageInfo?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetList"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Create a data source */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PvcDraft"];
                };
            };
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/asset/datasource/pvc/{AssetId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a data source */
        get: {
            parameters: {
                query?: {
                    assetIds?: string;
                    clusterId?: string;
                    complyToProject?: number;
                    complyToReplicaType?: "Worker" | "Master";
                    complyToWorkloadType?: "Workspace" | "Training" | "Distributed" | "Inference";
                    departmentId?: string;
                    distributedFramework?: string;
                    isDistributed?: boolean;
                    isInference?: boolean;
                    isTraining?: boolean;
                    isWorkspace?: boolean;
                    name?: string;
                    projectId?: number;
                    scope?: string;
                    statusInfo?: boolean;
                    usageInfo?: boolean;
                };
                header?: never;
                path: {
                    AssetId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        /** Update a data source */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    AssetId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PvcUpdate"];
                };
            };
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        post?: never;
        /** Delete a data source */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    AssetId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Accepted"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/asset/datasource/s3": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List assets of kind s3 */
        get: {
            parameters: {
                query?: {
                    assetIds?: string;
                    clusterId?: string;
                    complyToProject?: number;
                    complyToReplicaType?: "Worker" | "Master";
                    complyToWorkloadType?: "Workspace" | "Training" | "Distributed" | "Inference";
                    departmentId?: string;
                    distributedFramework?: string;
                    isDistributed?: boolean;
                    isInference?: boolean;
                    isTraining?: boolean;
                    isWorkspace?: boolean;
                    name?: string;
                    projectId?: number;
                    scope?: string;
                    statusInfo?: boolean;
                    usageInfo?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetList"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Create a data source */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["S3Draft"];
                };
            };
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/asset/datasource/s3/{AssetId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a data source */
        get: {
            parameters: {
                query?: {
                    assetIds?: string;
                    clusterId?: string;
                    complyToProject?: number;
                    complyToReplicaType?: "Worker" | "Master";
                    complyToWorkloadType?: "Workspace" | "Training" | "Distributed" | "Inference";
                    departmentId?: string;
                    distributedFramework?: string;
                    isDistributed?: boolean;
                    isInference?: boolean;
                    isTraining?: boolean;
                    isWorkspace?: boolean;
                    name?: string;
                    projectId?: number;
                    scope?: string;
                    statusInfo?: boolean;
                    usageInfo?: boolean;
                };
                header?: never;
                path: {
                    AssetId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        /** Update a data source */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    AssetId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["S3Update"];
                };
            };
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        post?: never;
        /** Delete a data source */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    AssetId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Accepted"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/asset/datasource/secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List assets of kind secret-volume */
        get: {
            parameters: {
                query?: {
                    assetIds?: string;
                    clusterId?: string;
                    complyToProject?: number;
                    complyToReplicaType?: "Worker" | "Master";
                    complyToWorkloadType?: "Workspace" | "Training" | "Distributed" | "Inference";
                    departmentId?: string;
                    distributedFramework?: string;
                    isDistributed?: boolean;
                    isInference?: boolean;
                    isTraining?: boolean;
                    isWorkspace?: boolean;
                    name?: string;
                    projectId?: number;
                    scope?: string;
                    statusInfo?: boolean;
                    usageInfo?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetList"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Create a data source */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SecretDraft"];
                };
            };
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/asset/datasource/secrets/{AssetId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a data source */
        get: {
            parameters: {
                query?: {
                    assetIds?: string;
                    clusterId?: string;
                    complyToProject?: number;
                    complyToReplicaType?: "Worker" | "Master";
                    complyToWorkloadType?: "Workspace" | "Training" | "Distributed" | "Inference";
                    departmentId?: string;
                    distributedFramework?: string;
                    isDistributed?: boolean;
                    isInference?: boolean;
                    isTraining?: boolean;
                    isWorkspace?: boolean;
                    name?: string;
                    projectId?: number;
                    scope?: string;
                    statusInfo?: boolean;
                    usageInfo?: boolean;
                };
                header?: never;
                path: {
                    AssetId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        /** Update a data source */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    AssetId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SecretUpdate"];
                };
            };
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        post?: never;
        /** Delete a data source */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    AssetId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Accepted"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/asset/environment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List assets of kind environment */
        get: {
            parameters: {
                query?: {
                    assetIds?: string;
                    clusterId?: string;
                    complyToProject?: number;
                    complyToReplicaType?: "Worker" | "Master";
                    complyToWorkloadType?: "Workspace" | "Training" | "Distributed" | "Inference";
                    departmentId?: string;
                    distributedFramework?: string;
                    isDistributed?: boolean;
                    isInference?: boolean;
                    isTraining?: boolean;
                    isWorkspace?: boolean;
                    name?: string;
                    projectId?: number;
                    scope?: string;
                    statusInfo?: boolean;
                    usageInfo?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetList"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Create a environment */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EnvironmentDraft"];
                };
            };
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/asset/environment/{AssetId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a environment */
        get: {
            parameters: {
                query?: {
                    assetIds?: string;
                    clusterId?: string;
                    complyToProject?: number;
                    complyToReplicaType?: "Worker" | "Master";
                    complyToWorkloadType?: "Workspace" | "Training" | "Distributed" | "Inference";
                    departmentId?: string;
                    distributedFramework?: string;
                    isDistributed?: boolean;
                    isInference?: boolean;
                    isTraining?: boolean;
                    isWorkspace?: boolean;
                    name?: string;
                    projectId?: number;
                    scope?: string;
                    statusInfo?: boolean;
                    usageInfo?: boolean;
                };
                header?: never;
                path: {
                    AssetId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        /** Update a environment */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    AssetId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EnvironmentUpdate"];
                };
            };
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        post?: never;
        /** Delete a environment */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    AssetId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Accepted"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/asset/registries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List assets of kind registry */
        get: {
            parameters: {
                query?: {
                    assetIds?: string;
                    clusterId?: string;
                    complyToProject?: number;
                    complyToReplicaType?: "Worker" | "Master";
                    complyToWorkloadType?: "Workspace" | "Training" | "Distributed" | "Inference";
                    departmentId?: string;
                    distributedFramework?: string;
                    isDistributed?: boolean;
                    isInference?: boolean;
                    isTraining?: boolean;
                    isWorkspace?: boolean;
                    name?: string;
                    projectId?: number;
                    scope?: string;
                    statusInfo?: boolean;
                    usageInfo?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetList"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Create a registry */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RegistryDraft"];
                };
            };
            responses: {
                /** @description Success */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/asset/registries/{AssetId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a registry */
        get: {
            parameters: {
                query?: {
                    assetIds?: string;
                    clusterId?: string;
                    complyToProject?: number;
                    complyToReplicaType?: "Worker" | "Master";
                    complyToWorkloadType?: "Workspace" | "Training" | "Distributed" | "Inference";
                    departmentId?: string;
                    distributedFramework?: string;
                    isDistributed?: boolean;
                    isInference?: boolean;
                    isTraining?: boolean;
                    isWorkspace?: boolean;
                    name?: string;
                    projectId?: number;
                    scope?: string;
                    statusInfo?: boolean;
                    usageInfo?: boolean;
                };
                header?: never;
                path: {
                    AssetId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        /** Update a registry */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    AssetId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RegistryUpdate"];
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        post?: never;
        /** Delete a registry */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    AssetId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/asset/registries/{AssetId}/repositories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List a registry's repositories */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    AssetId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/asset/registries/{AssetId}/repositories/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the tags of a repository */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    AssetId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/asset/workload-template": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List assets of kind workload-template */
        get: {
            parameters: {
                query?: {
                    assetIds?: string;
                    clusterId?: string;
                    complyToProject?: number;
                    complyToReplicaType?: "Worker" | "Master";
                    complyToWorkloadType?: "Workspace" | "Training" | "Distributed" | "Inference";
                    departmentId?: string;
                    distributedFramework?: string;
                    isDistributed?: boolean;
                    isInference?: boolean;
                    isTraining?: boolean;
                    isWorkspace?: boolean;
                    name?: string;
                    projectId?: number;
                    scope?: string;
                    statusInfo?: boolean;
                    usageInfo?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetList"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Create a template */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TemplateDraft"];
                };
            };
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/asset/workload-template/{AssetId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a template */
        get: {
            parameters: {
                query?: {
                    assetIds?: string;
                    clusterId?: string;
                    complyToProject?: number;
                    complyToReplicaType?: "Worker" | "Master";
                    complyToWorkloadType?: "Workspace" | "Training" | "Distributed" | "Inference";
                    departmentId?: string;
                    distributedFramework?: string;
                    isDistributed?: boolean;
                    isInference?: boolean;
                    isTraining?: boolean;
                    isWorkspace?: boolean;
                    name?: string;
                    projectId?: number;
                    scope?: string;
                    statusInfo?: boolean;
                    usageInfo?: boolean;
                };
                header?: never;
                path: {
                    AssetId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        /** Update a template */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    AssetId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TemplateUpdate"];
                };
            };
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AssetAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        post?: never;
        /** Delete a template */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    AssetId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Accepted"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit/log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the audit log */
        get: {
            parameters: {
                query: {
                    end: string;
                    filterBy?: string[];
                    limit?: number;
                    numberOfSamples?: number;
                    offset?: number;
                    search?: string;
                    sortBy?: string;
                    sortOrder?: "asc" | "desc";
                    start: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AuditLogPage"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit/log/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download the audit log */
        get: {
            parameters: {
                query: {
                    end: string;
                    file_type?: "CSV" | "JSON";
                    fileType?: "CSV" | "JSON";
                    filterBy?: string[];
                    limit?: number;
                    numberOfSamples?: number;
                    offset?: number;
                    search?: string;
                    sortBy?: string;
                    sortOrder?: "asc" | "desc";
                    start: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/authorization/access-rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List access rules */
        get: {
            parameters: {
                query?: {
                    clusterId?: string;
                    filterBy?: string[];
                    includeDeleted?: boolean;
                    lastUpdated?: string;
                    limit?: number;
                    offset?: number;
                    roleId?: number;
                    scopeId?: string;
                    scopeType?: string;
                    search?: string;
                    sortBy?: string;
                    sortOrder?: "asc" | "desc";
                    subjectIdFilter?: string;
                    subjectIds?: string;
                    subjectType?: "user" | "app" | "group";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AccessRuleList"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Grant a role at a scope */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AccessRuleDraft"];
                };
            };
            responses: {
                /** @description Success */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AccessRule"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/authorization/access-rules/{accessRuleId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an access rule */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    accessRuleId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AccessRule"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** End an access rule */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    accessRuleId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/authorization/access-rules/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Count access rules */
        get: {
            parameters: {
                query?: {
                    clusterId?: string;
                    filterBy?: string[];
                    includeDeleted?: boolean;
                    lastUpdated?: string;
                    limit?: number;
                    offset?: number;
                    roleId?: number;
                    scopeId?: string;
                    scopeType?: string;
                    search?: string;
                    sortBy?: string;
                    sortOrder?: "asc" | "desc";
                    subjectIdFilter?: string;
                    subjectIds?: string;
                    subjectType?: "user" | "app" | "group";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Count"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/authorization/permissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the caller may do */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Permission"][];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/authorization/permitted-scopes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Where the caller may do something */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PermittedScopesRequest"];
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PermittedScopesActions"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/authorization/roles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List roles */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Role"][];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Create a custom role */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RoleDraft"];
                };
            };
            responses: {
                /** @description Success */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Role"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/authorization/roles/{roleId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a role */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    roleId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Role"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        /** Change a custom role */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    roleId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RoleDraft"];
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Role"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        post?: never;
        /** Delete a custom role */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    roleId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/clusters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List clusters */
        get: {
            parameters: {
                query?: {
                    verbosity?: "metadata" | "full";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Cluster"][];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Create a cluster */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ClusterDraft"];
                };
            };
            responses: {
                /** @description Success */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Cluster"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/clusters/{clusterUuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a cluster */
        get: {
            parameters: {
                query?: {
                    verbosity?: "metadata" | "full";
                };
                header?: never;
                path: {
                    clusterUuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Cluster"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        /** Rename a cluster */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    clusterUuid: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ClusterUpdate"];
                };
            };
            responses: {
                /** @description Success */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        post?: never;
        /** Delete a cluster */
        delete: {
            parameters: {
                query?: {
                    force?: boolean;
                };
                header?: never;
                path: {
                    clusterUuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/clusters/{clusterUuid}/cluster-install-info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How to install a cluster */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    clusterUuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/clusters/{clusterUuid}/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Measurements of a cluster */
        get: {
            parameters: {
                query: {
                    end: string;
                    metricType: string;
                    numberOfSamples?: number;
                    start: string;
                };
                header?: never;
                path: {
                    clusterUuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Measurements"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/clusters/{clusterUuid}/nodepools/{nodepoolName}/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Measurements of a node pool */
        get: {
            parameters: {
                query: {
                    end: string;
                    metricType: string;
                    numberOfSamples?: number;
                    start: string;
                };
                header?: never;
                path: {
                    clusterUuid: string;
                    nodepoolName: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Measurements"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/clusters/{clusterUuid}/nodes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List a cluster's nodes */
        get: {
            parameters: {
                query?: {
                    nodeName?: string;
                };
                header?: never;
                path: {
                    clusterUuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NodeList"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/{projectId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List data sets of a project */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    projectId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DataSetList"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/{projectId}/chunks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Store chunks */
        post: {
            parameters: {
                query?: {
                    push?: string;
                };
                header?: never;
                path: {
                    projectId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Count"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/{projectId}/ftps-logins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List who may upload to a project by FTPS, and where */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    projectId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["FtpsLoginList"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Make an FTPS password for oneself */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    projectId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["FtpsPassword"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/{projectId}/ftps-logins/{ftpsLogin}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove an FTPS password; its sessions end */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    ftpsLogin: string;
                    projectId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/{projectId}/missing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Tell which of these chunks are not here */
        post: {
            parameters: {
                query?: {
                    push?: string;
                };
                header?: never;
                path: {
                    projectId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/{projectId}/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Read chunks by their ids */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    projectId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/{projectId}/sets/{dataSetName}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one version of a data set, by tag or id */
        get: {
            parameters: {
                query?: {
                    version?: string;
                };
                header?: never;
                path: {
                    dataSetName: string;
                    projectId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DataSetManifest"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Delete a data set, or one version of it */
        delete: {
            parameters: {
                query?: {
                    version?: string;
                };
                header?: never;
                path: {
                    dataSetName: string;
                    projectId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DataSetRemoved"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/{projectId}/takes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin to make an uploaded folder a version of a data set */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    projectId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["FtpsTakeDraft"];
                };
            };
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["FtpsTake"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/{projectId}/takes/{takeId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Tell how far the taking of a folder is */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    projectId: string;
                    takeId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["FtpsTake"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datasets/{projectId}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make a version of a data set from chunks that are here */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    projectId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DataSetDraft"];
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DataSetCommitted"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/datavolumes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Not offered: always empty */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": unknown;
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Not offered: answers 501 */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/engine": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the engine of a cluster can do */
        get: {
            parameters: {
                query?: {
                    clusterId?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["EngineAbilities"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Changes the caller may see, as server-sent events */
        get: {
            parameters: {
                query?: {
                    after?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/experiments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List experiments */
        get: {
            parameters: {
                query?: {
                    projectId?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ExperimentList"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gpus": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Every GPU with its health, its use and the work on it */
        get: {
            parameters: {
                query?: {
                    nodeLimit?: number;
                    nodeOffset?: number;
                    search?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["GpuList"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gpus/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many GPUs of each model are free */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["GpuCounts"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gpus/use": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How busy the GPUs of running work are */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["GpuUses"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/host-access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What work may have of its machine, by scope */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HostAccessLists"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/host-access/{scopeType}/{scopeId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Replace what work of a scope may have of its machine */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    scopeId: string;
                    scopeType: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["HostAccessChange"];
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HostAccess"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        post?: never;
        /** Allow nothing at this scope */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    scopeId: string;
                    scopeType: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/logo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The tenant's logo */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Logo"];
                    };
                };
                /** @description There is none */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Set the tenant's logo */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Logo"];
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who is signed in, with which roles */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Me"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End all of one's own sessions, personal tokens and applications */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Change one's own password */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PasswordChange"];
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List one's own sessions */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LoginSession"][];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/sessions/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End one of one's own sessions; `current` is this one */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    sessionId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List one's personal tokens */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PersonalToken"][];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Make a personal token */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PersonalTokenDraft"];
                };
            };
            responses: {
                /** @description Success */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PersonalTokenCreated"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/tokens/{tokenId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a personal token */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    tokenId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/node-pools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List node pools */
        get: {
            parameters: {
                query?: {
                    filterBy?: string[];
                    limit?: number;
                    offset?: number;
                    search?: string;
                    sortBy?: string;
                    sortOrder?: "asc" | "desc";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NodePoolList"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Create a node pool */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NodePoolDraft"];
                };
            };
            responses: {
                /** @description Success */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NodePool"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/node-pools/{nodepoolId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a node pool */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    nodepoolId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NodePool"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        /** Update a node pool */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    nodepoolId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NodePoolUpdate"];
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NodePool"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        post?: never;
        /** Delete a node pool */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    nodepoolId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /** Change parts of a node pool */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    nodepoolId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NodePoolUpdate"];
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NodePool"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/v1/node-pools/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Count node pools */
        get: {
            parameters: {
                query?: {
                    filterBy?: string[];
                    limit?: number;
                    offset?: number;
                    search?: string;
                    sortBy?: string;
                    sortOrder?: "asc" | "desc";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Count"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nodes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List nodes */
        get: {
            parameters: {
                query?: {
                    filterBy?: string[];
                    limit?: number;
                    offset?: number;
                    search?: string;
                    sortBy?: string;
                    sortOrder?: "asc" | "desc";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NodeList"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Declare a node */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NodeDraft"];
                };
            };
            responses: {
                /** @description Success */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Node"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nodes/{nodeId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a node */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    nodeId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Node"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        /** Declare a node again */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    nodeId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NodeUpdate"];
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Node"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        post?: never;
        /** Forget a node */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    nodeId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nodes/{nodeId}/drain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Start nothing new on a node */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    nodeId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DrainOrder"];
                };
            };
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Accepted"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nodes/{nodeId}/labels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Change labels of a node */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    nodeId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NodeLabelChange"];
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Node"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nodes/{nodeId}/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Measurements of a node */
        get: {
            parameters: {
                query: {
                    end: string;
                    metricType: string;
                    numberOfSamples?: number;
                    start: string;
                };
                header?: never;
                path: {
                    nodeId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Measurements"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nodes/{nodeId}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Let a drained node take work */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    nodeId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Accepted"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nodes/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Count nodes */
        get: {
            parameters: {
                query?: {
                    filterBy?: string[];
                    limit?: number;
                    offset?: number;
                    search?: string;
                    sortBy?: string;
                    sortOrder?: "asc" | "desc";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Count"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nodes/telemetry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Present numbers of nodes */
        get: {
            parameters: {
                query: {
                    clusterId?: string;
                    groupBy?: string;
                    nodepoolName?: string;
                    telemetryType: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Telemetry"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notification-channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Not offered: always empty */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": unknown;
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Not offered: answers 501 */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notification-state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Not offered: always empty */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": unknown;
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Not offered: answers 501 */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/v1/notification-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Not offered: always empty */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": unknown;
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notifications/channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Say which channels this server can send by */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NotificationChannelState"][];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notifications/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the newest deliveries of one's rules */
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    ruleId?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NotificationDelivery"][];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notifications/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List one's own notification rules and those of projects one may change */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NotificationRule"][];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Create a notification rule */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NotificationRuleDraft"];
                };
            };
            responses: {
                /** @description Success */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NotificationRule"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notifications/rules/{ruleId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a notification rule */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    ruleId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NotificationRule"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        /** Change a notification rule; without target or secret they stay */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    ruleId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NotificationRuleDraft"];
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NotificationRule"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        post?: never;
        /** Delete a notification rule with its deliveries */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    ruleId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notifications/rules/{ruleId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a test message now and say how that went */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    ruleId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NotificationDelivery"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/oidc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether people sign in at an identity provider */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SingleSignOn"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/oidc/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Come back from the identity provider */
        get: {
            parameters: {
                query?: {
                    code?: string;
                    error?: string;
                    state?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                302: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/oidc/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Go to the identity provider */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                302: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/org-unit/departments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List departments */
        get: {
            parameters: {
                query?: {
                    filterBy?: string[];
                    limit?: number;
                    offset?: number;
                    search?: string;
                    sortBy?: string;
                    sortOrder?: "asc" | "desc";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DepartmentList"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Create a department */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DepartmentDraft"];
                };
            };
            responses: {
                /** @description Success */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Department"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/org-unit/departments/{departmentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a department */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    departmentId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Department"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        /** Update a department */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    departmentId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DepartmentChange"];
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Department"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        post?: never;
        /** Delete a department */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    departmentId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/org-unit/departments/{departmentId}/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Measurements of a department */
        get: {
            parameters: {
                query: {
                    end: string;
                    metricType: string;
                    numberOfSamples?: number;
                    start: string;
                };
                header?: never;
                path: {
                    departmentId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Measurements"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/org-unit/departments/{departmentId}/resources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Replace a department's quotas */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    departmentId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Resources"][];
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Resources"][];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change a department's quotas */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    departmentId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Resources"][];
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Resources"][];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/v1/org-unit/departments/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Count departments */
        get: {
            parameters: {
                query?: {
                    filterBy?: string[];
                    limit?: number;
                    offset?: number;
                    search?: string;
                    sortBy?: string;
                    sortOrder?: "asc" | "desc";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Count"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/org-unit/departments/telemetry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Present numbers of departments */
        get: {
            parameters: {
                query: {
                    clusterId?: string;
                    groupBy?: string;
                    nodepoolName?: string;
                    telemetryType: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Telemetry"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/org-unit/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List projects */
        get: {
            parameters: {
                query?: {
                    filterBy?: string[];
                    limit?: number;
                    offset?: number;
                    search?: string;
                    sortBy?: string;
                    sortOrder?: "asc" | "desc";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ProjectList"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Create a project */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ProjectDraft"];
                };
            };
            responses: {
                /** @description Success */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Project"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/org-unit/projects/{projectId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a project */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    projectId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Project"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        /** Update a project */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    projectId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ProjectChange"];
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Project"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        post?: never;
        /** Delete a project */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    projectId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/org-unit/projects/{projectId}/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Measurements of a project */
        get: {
            parameters: {
                query: {
                    end: string;
                    metricType: string;
                    numberOfSamples?: number;
                    start: string;
                };
                header?: never;
                path: {
                    projectId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Measurements"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/org-unit/projects/{projectId}/resources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Replace a project's quotas */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    projectId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Resources"][];
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Resources"][];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change a project's quotas */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    projectId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Resources"][];
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Resources"][];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/v1/org-unit/projects/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Count projects */
        get: {
            parameters: {
                query?: {
                    filterBy?: string[];
                    limit?: number;
                    offset?: number;
                    search?: string;
                    sortBy?: string;
                    sortOrder?: "asc" | "desc";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Count"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/org-unit/projects/telemetry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Present numbers of projects */
        get: {
            parameters: {
                query: {
                    clusterId?: string;
                    groupBy?: string;
                    nodepoolName?: string;
                    telemetryType: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Telemetry"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/org-unit/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Not offered: always empty */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": unknown;
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Not offered: answers 501 */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/org-unit/reports/availability": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Not offered: always empty */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": unknown;
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/org-unit/reports/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Not offered: always empty */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": unknown;
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/queue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Waiting workloads in the order of decision */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Queue"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/queue/running": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Running workloads by whose nth GPU they hold */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RunningOrder"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List reports about runs */
        get: {
            parameters: {
                query?: {
                    filterBy?: string[];
                    limit?: number;
                    offset?: number;
                    projectId?: number;
                    search?: string;
                    sortBy?: string;
                    sortOrder?: "asc" | "desc";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ReportList"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Write a report */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ReportDraft"];
                };
            };
            responses: {
                /** @description Success */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Report"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports/{reportId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a report */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    reportId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Report"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        /** Change a report */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    reportId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ReportChange"];
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Report"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        post?: never;
        /** Delete a report */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    reportId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reservations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List reservations */
        get: {
            parameters: {
                query?: {
                    filterBy?: string[];
                    limit?: number;
                    offset?: number;
                    search?: string;
                    sortBy?: string;
                    sortOrder?: "asc" | "desc";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ReservationList"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Reserve GPUs for a project */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ReservationDraft"];
                };
            };
            responses: {
                /** @description Success */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Reservation"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reservations/{reservationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a reservation */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    reservationId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Reservation"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        /** Change a reservation */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    reservationId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ReservationChange"];
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Reservation"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        post?: never;
        /** Give up a reservation */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    reservationId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/run-views": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List saved views of runs */
        get: {
            parameters: {
                query?: {
                    page?: "runs" | "compare";
                    projectId?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RunViewList"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Save a view of runs */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RunViewDraft"];
                };
            };
            responses: {
                /** @description Success */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RunView"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/run-views/{viewId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a saved view */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    viewId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List tracked runs */
        get: {
            parameters: {
                query?: {
                    experiment?: string;
                    filterBy?: string[];
                    limit?: number;
                    offset?: number;
                    projectId?: number;
                    search?: string;
                    sortBy?: string;
                    sortOrder?: "asc" | "desc";
                    view?: "active" | "deleted" | "all";
                    workloadId?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RunList"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Start a tracked run */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RunDraft"];
                };
            };
            responses: {
                /** @description Success */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Run"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{runId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a tracked run */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    runId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Run"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Hide a tracked run */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    runId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{runId}/artifacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List files of a run */
        get: {
            parameters: {
                query?: {
                    path?: string;
                };
                header?: never;
                path: {
                    runId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RunFileList"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{runId}/artifacts/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download a file of a run */
        get: {
            parameters: {
                query: {
                    path: string;
                };
                header?: never;
                path: {
                    runId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        /** Store a file of a run; the body is the file */
        put: {
            parameters: {
                query: {
                    path: string;
                };
                header?: never;
                path: {
                    runId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StoredRunFile"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        post?: never;
        /** Delete a file or folder of a run */
        delete: {
            parameters: {
                query: {
                    path: string;
                };
                header?: never;
                path: {
                    runId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{runId}/artifacts/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Store one part; the body is the part */
        put: {
            parameters: {
                query: {
                    part: number;
                    path: string;
                    upload: string;
                };
                header?: never;
                path: {
                    runId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StoredRunFile"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        /** Begin to store a file of a run in parts, or go on with it */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    runId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RunUploadDraft"];
                };
            };
            responses: {
                /** @description Success */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RunUpload"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        /** Forget the parts of a file */
        delete: {
            parameters: {
                query: {
                    path: string;
                    upload: string;
                };
                header?: never;
                path: {
                    runId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{runId}/artifacts/uploads/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make one file of its parts */
        post: {
            parameters: {
                query: {
                    path: string;
                    upload: string;
                };
                header?: never;
                path: {
                    runId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{runId}/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Add records to a run; begins it if there is none */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    runId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RunBatch"];
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RunBatchTaken"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{runId}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The history of one metric, point by point */
        get: {
            parameters: {
                query: {
                    after?: string;
                    limit?: number;
                    name: string;
                };
                header?: never;
                path: {
                    runId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MetricHistory"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{runId}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Bring a deleted run back */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    runId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/charts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Metrics of several runs, drawn for a number of pixels */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RunChartWish"];
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RunCharts"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Change tags of several runs */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RunTags"];
                };
            };
            responses: {
                /** @description Success */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Take back the cookie of the dashboard's session */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/site": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The message of the day and the price of a GPU-hour */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Site"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/site/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the sign-in page tells everybody */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SignInNote"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/storage-classes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List a cluster's storage classes */
        get: {
            parameters: {
                query?: {
                    clusterId?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StorageClasses"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/studies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List studies */
        get: {
            parameters: {
                query?: {
                    filterBy?: string[];
                    limit?: number;
                    offset?: number;
                    search?: string;
                    sortBy?: string;
                    sortOrder?: "asc" | "desc";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StudyList"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Search for the best parameters */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["StudyDraft"];
                };
            };
            responses: {
                /** @description Success */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Study"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/studies/{studyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a study */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    studyId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Study"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Delete a study; the workloads of its trials stay */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    studyId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/studies/{studyId}/best": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The best trial with its confidence; of several objectives the Pareto front */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    studyId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StudyBest"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/studies/{studyId}/columns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The trials of a study as columns, to draw them */
        get: {
            parameters: {
                query?: {
                    from?: number;
                };
                header?: never;
                path: {
                    studyId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StudyColumns"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/studies/{studyId}/extend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Raise the budget of a study */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    studyId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["StudyBudget"];
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Study"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/studies/{studyId}/importances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How much each parameter matters */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    studyId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StudyImportances"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/studies/{studyId}/next": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the next trial would be if it began now */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    studyId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StudySuggestion"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/studies/{studyId}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin no new trial */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    studyId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Study"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/studies/{studyId}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Let a study go on */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    studyId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Study"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/studies/{studyId}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End a study and the trials that run */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    studyId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Study"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/studies/{studyId}/trials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the trials of a study */
        get: {
            parameters: {
                query?: {
                    filterBy?: string[];
                    limit?: number;
                    offset?: number;
                    search?: string;
                    sortBy?: string;
                    sortOrder?: "asc" | "desc";
                };
                header?: never;
                path: {
                    studyId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StudyTrialPage"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Add a trial by hand; without parameters the next suggestion, for a program that runs it */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    studyId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["StudyTrialDraft"];
                };
            };
            responses: {
                /** @description Success */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StudyTrial"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/studies/{studyId}/trials/{trialNumber}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a trial */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    studyId: string;
                    trialNumber: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StudyTrial"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/studies/{studyId}/trials/{trialNumber}/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Report an intermediate value; the answer says whether to stop */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    studyId: string;
                    trialNumber: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["StudyReportDraft"];
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StudyVerdict"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/studies/{studyId}/trials/{trialNumber}/tell": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Tell how a trial ended that a program ran */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    studyId: string;
                    trialNumber: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["StudyTell"];
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StudyTrial"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/study-journals/{projectId}/{journalName}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the journal of studies that another program searches */
        get: {
            parameters: {
                query?: {
                    from?: number;
                };
                header?: never;
                path: {
                    journalName: string;
                    projectId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StudyJournalPage"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Append to a journal; the same id again changes nothing */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    journalName: string;
                    projectId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["StudyJournalAppend"];
                };
            };
            responses: {
                /** @description Success */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        /** Delete a journal */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    journalName: string;
                    projectId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Not offered: always empty */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": unknown;
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Not offered: answers 501 */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Attempts that held GPUs in a span of time */
        get: {
            parameters: {
                query: {
                    end: string;
                    start: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Timeline"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TokenRequest"];
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TokenResponse"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A link that opens the tool of a workload in a browser; good once, for a minute */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ToolLinkRequest"];
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ToolLink"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/usage/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** GPU hours held, used and idle, by user, project or department */
        get: {
            parameters: {
                query: {
                    by?: "user" | "project" | "department";
                    end: string;
                    projectName?: string;
                    start: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UsageReport"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/usage/series": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** GPUs held and used, and waiting times, over time */
        get: {
            parameters: {
                query: {
                    end: string;
                    numberOfSamples?: number;
                    projectName?: string;
                    start: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UsageSeries"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/user-applications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List one's own applications */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OwnApplication"][];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Create an application of one's own */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ApplicationDraft"];
                };
            };
            responses: {
                /** @description Success */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ApplicationCreated"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/user-applications/{appId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an application of one's own */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    appId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OwnApplication"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Delete an application of one's own */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    appId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/user-applications/{appId}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make a new secret; the old one ends */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    appId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Secret"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List users */
        get: {
            parameters: {
                query?: {
                    filterBy?: string[];
                    limit?: number;
                    offset?: number;
                    search?: string;
                    sortBy?: string;
                    sortOrder?: "asc" | "desc";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["User"][];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        /** Create a user */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["UserDraft"];
                };
            };
            responses: {
                /** @description Success */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UserCreated"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a user */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    userId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["User"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Delete a user */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    userId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /** Change a user's groups or machine account */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    userId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["UserEdit"];
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["User"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/v1/users/{userId}/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End a user's sessions */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    userId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{userId}/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give a user a new temporary password */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    userId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TempPassword"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Count users */
        get: {
            parameters: {
                query?: {
                    filterBy?: string[];
                    limit?: number;
                    offset?: number;
                    search?: string;
                    sortBy?: string;
                    sortOrder?: "asc" | "desc";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Count"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/validate-notification-channel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Not offered: answers 501 */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/version": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Product and contract version */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Version"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workloads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List workloads of every kind */
        get: {
            parameters: {
                query?: {
                    deleted?: boolean;
                    filterBy?: string[];
                    limit?: number;
                    offset?: number;
                    search?: string;
                    sortBy?: string;
                    sortOrder?: "asc" | "desc";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WorkloadList"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workloads/{workloadId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a workload of any kind */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    workloadId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WorkloadDetails"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workloads/{workloadId}/attach": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A task's own terminal, over a WebSocket */
        get: {
            parameters: {
                query?: {
                    rank?: number;
                };
                header?: never;
                path: {
                    workloadId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                101: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workloads/{workloadId}/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A workload's attempts, newest first */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    workloadId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AttemptList"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workloads/{workloadId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End a workload and keep its record */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    workloadId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Accepted"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workloads/{workloadId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List a workload's events */
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    offset?: number;
                    sortOrder?: "asc" | "desc";
                };
                header?: never;
                path: {
                    workloadId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["EventList"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workloads/{workloadId}/exec": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Run a command inside a task, over a WebSocket */
        get: {
            parameters: {
                query: {
                    columns?: number;
                    command: string[];
                    rank?: number;
                    rows?: number;
                    tty?: boolean;
                };
                header?: never;
                path: {
                    workloadId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                101: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workloads/{workloadId}/extend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Move a workload's time limit */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    workloadId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Extension"];
                };
            };
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Accepted"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workloads/{workloadId}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Files of a task as a tar stream */
        get: {
            parameters: {
                query: {
                    attempt?: number;
                    path: string;
                    rank?: number;
                };
                header?: never;
                path: {
                    workloadId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workloads/{workloadId}/files/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Unpack a tar stream into a folder of a task, over a WebSocket */
        get: {
            parameters: {
                query: {
                    path: string;
                    rank?: number;
                };
                header?: never;
                path: {
                    workloadId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                101: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workloads/{workloadId}/gpu-limit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Change how much GPU memory a part may grow to */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    workloadId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["GpuLimitOrder"];
                };
            };
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Accepted"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workloads/{workloadId}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List a workload's events and changes of phase */
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    offset?: number;
                };
                header?: never;
                path: {
                    workloadId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HistoryList"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workloads/{workloadId}/hold": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Keep a waiting workload from starting */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    workloadId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Accepted"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workloads/{workloadId}/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A task's log as text, or with follow=true as a stream until it has ended */
        get: {
            parameters: {
                query?: {
                    attempt?: number;
                    follow?: boolean;
                    limit?: number;
                    offset?: number;
                    rank?: number;
                    since?: string;
                    sinceTime?: string;
                    tail?: number;
                    timestamps?: boolean;
                };
                header?: never;
                path: {
                    workloadId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workloads/{workloadId}/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A workload's metrics */
        get: {
            parameters: {
                query: {
                    end: string;
                    metricType: string[];
                    numberOfSamples?: number;
                    start: string;
                };
                header?: never;
                path: {
                    workloadId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WorkloadMetrics"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workloads/{workloadId}/outputs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List what a task has in its output folder, also after its end */
        get: {
            parameters: {
                query?: {
                    attempt?: number;
                    path?: string;
                    rank?: number;
                };
                header?: never;
                path: {
                    workloadId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OutputList"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workloads/{workloadId}/park": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take running work off its GPUs and keep its memory */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    workloadId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Accepted"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workloads/{workloadId}/pods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List a workload's pods */
        get: {
            parameters: {
                query?: {
                    deleted?: boolean;
                    limit?: number;
                    offset?: number;
                };
                header?: never;
                path: {
                    workloadId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PodList"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workloads/{workloadId}/pods/{podId}/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A pod's metrics */
        get: {
            parameters: {
                query: {
                    end: string;
                    metricType: string[];
                    numberOfSamples?: number;
                    start: string;
                };
                header?: never;
                path: {
                    podId: string;
                    workloadId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WorkloadMetrics"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workloads/{workloadId}/ports/{port}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A connection to a port of a task, over a WebSocket */
        get: {
            parameters: {
                query?: {
                    rank?: number;
                };
                header?: never;
                path: {
                    port: string;
                    workloadId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                101: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workloads/{workloadId}/priority": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give a workload another priority class */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    workloadId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PriorityOrder"];
                };
            };
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Accepted"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workloads/{workloadId}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Let a held workload start */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    workloadId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Accepted"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workloads/{workloadId}/rerun": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Submit a workload again as it was */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    workloadId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WorkloadRecord"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workloads/{workloadId}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What a workload asked for and what it used */
        get: {
            parameters: {
                query?: {
                    attempt?: number;
                };
                header?: never;
                path: {
                    workloadId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WorkloadUsage"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workloads/{workloadId}/why": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Why a workload waits and what would help */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    workloadId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Why"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workloads/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Delete several workloads */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WorkloadBatch"];
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["BatchResult"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workloads/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Count workloads */
        get: {
            parameters: {
                query?: {
                    deleted?: boolean;
                    filterBy?: string[];
                    limit?: number;
                    offset?: number;
                    search?: string;
                    sortBy?: string;
                    sortOrder?: "asc" | "desc";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Count"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workloads/distributed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Submit a workload of this kind */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DistributedDraft"];
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Distributed"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workloads/distributed/{workloadId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a workload of this kind */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    workloadId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Distributed"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Delete a workload of this kind */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    workloadId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workloads/distributed/{workloadId}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Let a stopped workload run again */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    workloadId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Accepted"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workloads/distributed/{workloadId}/suspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop a workload and release what it holds */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    workloadId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Accepted"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workloads/dry-run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What would happen to a submission that is not made */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DryRun"];
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Why"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workloads/folded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List workloads with each array as one row */
        get: {
            parameters: {
                query?: {
                    deleted?: boolean;
                    endedAfter?: string;
                    filterBy?: string[];
                    limit?: number;
                    offset?: number;
                    search?: string;
                    sortBy?: string;
                    sortOrder?: "asc" | "desc";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["FoldedList"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workloads/inferences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Submit a workload of this kind */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InferenceDraft"];
                };
            };
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Inference"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workloads/inferences/{workloadId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a workload of this kind */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    workloadId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Inference"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Delete a workload of this kind */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    workloadId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /** Change fields of an inference's spec */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    workloadId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InferencePatch"];
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Inference"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/v1/workloads/inferences/{workloadId}/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An inference's metrics */
        get: {
            parameters: {
                query: {
                    end: string;
                    metricType: string[];
                    numberOfSamples?: number;
                    start: string;
                };
                header?: never;
                path: {
                    workloadId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WorkloadMetrics"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workloads/inferences/{workloadId}/pods/{podId}/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Metrics of an inference's pod */
        get: {
            parameters: {
                query: {
                    end: string;
                    metricType: string[];
                    numberOfSamples?: number;
                    start: string;
                };
                header?: never;
                path: {
                    podId: string;
                    workloadId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WorkloadMetrics"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workloads/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give one order to several workloads */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WorkloadOrders"];
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["BatchResult"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workloads/pods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List pods */
        get: {
            parameters: {
                query?: {
                    completed?: string;
                    deleted?: boolean;
                    filterBy?: string[];
                    limit?: number;
                    offset?: number;
                    search?: string;
                    sortBy?: string;
                    sortOrder?: "asc" | "desc";
                    verbosity?: "brief" | "full";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PodList"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workloads/pods/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Count pods */
        get: {
            parameters: {
                query?: {
                    completed?: string;
                    deleted?: boolean;
                    filterBy?: string[];
                    limit?: number;
                    offset?: number;
                    search?: string;
                    sortBy?: string;
                    sortOrder?: "asc" | "desc";
                    verbosity?: "brief" | "full";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Count"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workloads/telemetry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Workloads and GPUs in numbers */
        get: {
            parameters: {
                query: {
                    clusterId?: string;
                    departmentId?: string;
                    groupBy?: string[];
                    nodepoolName?: string;
                    telemetryType: "WORKLOADS_COUNT" | "GPU_ALLOCATION";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WorkloadTelemetry"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workloads/trainings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Submit a workload of this kind */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TrainingDraft"];
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Training"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workloads/trainings/{workloadId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a workload of this kind */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    workloadId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Training"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Delete a workload of this kind */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    workloadId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workloads/trainings/{workloadId}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Let a stopped workload run again */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    workloadId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Accepted"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workloads/trainings/{workloadId}/suspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop a workload and release what it holds */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    workloadId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Accepted"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workloads/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Submit a workload of this kind */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WorkspaceDraft"];
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Workspace"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workloads/workspaces/{workloadId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a workload of this kind */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    workloadId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Workspace"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Delete a workload of this kind */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    workloadId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workloads/workspaces/{workloadId}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Let a stopped workload run again */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    workloadId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Accepted"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workloads/workspaces/{workloadId}/suspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop a workload and release what it holds */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    workloadId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Accepted"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/policy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List policies */
        get: {
            parameters: {
                query?: {
                    clusterId?: string;
                    departmentId?: string;
                    includeFallbackPolicies?: boolean;
                    projectId?: string;
                    scope?: "tenant" | "cluster" | "department" | "project";
                    workloadType?: "Workspace" | "Training" | "Distributed" | "Inference";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PolicyList"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/policy/distributed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the policy of a scope */
        get: {
            parameters: {
                query: {
                    clusterId?: string;
                    departmentId?: string;
                    projectId?: string;
                    scope: "tenant" | "cluster" | "department" | "project";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PolicyAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        /** Overwrite the policy of a scope */
        put: {
            parameters: {
                query?: {
                    validateOnly?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PolicyOverwrite"];
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PolicyAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        post?: never;
        /** Delete the policy of a scope */
        delete: {
            parameters: {
                query: {
                    clusterId?: string;
                    departmentId?: string;
                    projectId?: string;
                    scope: "tenant" | "cluster" | "department" | "project";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /** Change the policy of a scope */
        patch: {
            parameters: {
                query?: {
                    validateOnly?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PolicyPatch"];
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PolicyAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/v2/policy/inferences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the policy of a scope */
        get: {
            parameters: {
                query: {
                    clusterId?: string;
                    departmentId?: string;
                    projectId?: string;
                    scope: "tenant" | "cluster" | "department" | "project";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PolicyAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        /** Overwrite the policy of a scope */
        put: {
            parameters: {
                query?: {
                    validateOnly?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PolicyOverwrite"];
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PolicyAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        post?: never;
        /** Delete the policy of a scope */
        delete: {
            parameters: {
                query: {
                    clusterId?: string;
                    departmentId?: string;
                    projectId?: string;
                    scope: "tenant" | "cluster" | "department" | "project";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /** Change the policy of a scope */
        patch: {
            parameters: {
                query?: {
                    validateOnly?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PolicyPatch"];
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PolicyAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/v2/policy/trainings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the policy of a scope */
        get: {
            parameters: {
                query: {
                    clusterId?: string;
                    departmentId?: string;
                    projectId?: string;
                    scope: "tenant" | "cluster" | "department" | "project";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PolicyAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        /** Overwrite the policy of a scope */
        put: {
            parameters: {
                query?: {
                    validateOnly?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PolicyOverwrite"];
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PolicyAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        post?: never;
        /** Delete the policy of a scope */
        delete: {
            parameters: {
                query: {
                    clusterId?: string;
                    departmentId?: string;
                    projectId?: string;
                    scope: "tenant" | "cluster" | "department" | "project";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /** Change the policy of a scope */
        patch: {
            parameters: {
                query?: {
                    validateOnly?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PolicyPatch"];
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PolicyAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/v2/policy/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the policy of a scope */
        get: {
            parameters: {
                query: {
                    clusterId?: string;
                    departmentId?: string;
                    projectId?: string;
                    scope: "tenant" | "cluster" | "department" | "project";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PolicyAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        /** Overwrite the policy of a scope */
        put: {
            parameters: {
                query?: {
                    validateOnly?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PolicyOverwrite"];
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PolicyAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        post?: never;
        /** Delete the policy of a scope */
        delete: {
            parameters: {
                query: {
                    clusterId?: string;
                    departmentId?: string;
                    projectId?: string;
                    scope: "tenant" | "cluster" | "department" | "project";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /** Change the policy of a scope */
        patch: {
            parameters: {
                query?: {
                    validateOnly?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PolicyPatch"];
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PolicyAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/v2/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in with a form, as OAuth has it */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OauthToken"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the process is alive */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Health"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Counters in Prometheus text format; with a token, work and GPUs too */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This contract */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the server takes requests */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Health"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/k8s/apps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List applications; use /api/v1/apps */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>[];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/k8s/setting": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List settings */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Setting"][];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        /** Save a setting */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SettingChange"];
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SettingReply"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/k8s/setting/{settingKey}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The value of a setting */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    settingKey: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": unknown;
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/k8s/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List settings */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Setting"][];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        /** Save a setting */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SettingChange"];
                };
            };
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SettingReply"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/k8s/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List users; use /api/v1/users */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>[];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/version": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The served version of MLflow */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Accepted: {
            code: number;
            message: string;
        };
        AccessKeyDraft: {
            meta: components["schemas"]["AssetMetaDraft"];
            spec: components["schemas"]["AccessKeySpec"];
        };
        AccessKeySpec: {
            accessKeyId?: string | null;
            existingSecretName?: string | null;
            secretAccessKey?: string | null;
        };
        AccessKeyUpdate: {
            meta: components["schemas"]["AssetMetaUpdate"];
            spec?: components["schemas"]["AccessKeySpec"] | null;
        };
        AccessModes: {
            readOnlyMany?: boolean | null;
            readWriteMany?: boolean | null;
            readWriteOnce?: boolean | null;
        };
        AccessRule: {
            /** Format: uuid */
            clusterId?: string | null;
            /** Format: date-time */
            createdAt: string;
            createdBy: string;
            /** Format: date-time */
            deletedAt?: string | null;
            id: number;
            roleId: number;
            roleName: string;
            scopeId: string;
            scopeName: string;
            scopePath?: string | null;
            /** @enum {string} */
            scopeType: "system" | "tenant" | "cluster" | "department" | "project";
            subjectId: string;
            /** @enum {string} */
            subjectType: "user" | "app" | "group";
            tenantId?: number;
            /** Format: date-time */
            updatedAt: string;
        };
        AccessRuleDraft: {
            /** Format: uuid */
            clusterId?: string | null;
            roleId: number;
            scopeId: string;
            /** @enum {string} */
            scopeType: "system" | "tenant" | "cluster" | "department" | "project";
            subjectId: string;
            /** @enum {string} */
            subjectType: "user" | "app" | "group";
        };
        AccessRuleList: {
            accessRules: components["schemas"]["AccessRule"][];
            displayRecords: number;
            totalRecords: number;
        };
        AllocatedResources: {
            cpu?: number | null;
            cpuMemory?: string | null;
            gpu?: number | null;
            gpuMemory?: string | null;
        };
        Alternative: {
            change: string;
            command: string;
            flags: string;
            kind: string;
            outcome: string;
            price: string[];
            value: string;
        };
        Application: {
            clientId: string;
            /** Format: date-time */
            createdAt: string | null;
            createdBy: string;
            enabled: boolean;
            id: string;
            /** Format: date-time */
            lastLogin: string | null;
            name: string;
            tenantId?: string;
            /** Format: date-time */
            updatedAt: string | null;
        };
        ApplicationCreated: {
            clientId: string;
            id: string;
            name: string;
            secret: string;
        };
        ApplicationDraft: {
            name: string;
        };
        ApplicationEdit: {
            enabled: boolean;
        };
        ArraySum: {
            /** Format: uuid */
            firstItem: string;
            id: string;
            items: number;
            /** Format: date-time */
            lastCompletedAt?: string | null;
            phases: {
                [key: string]: number;
            };
        };
        AskedResources: {
            cpu: number;
            gpu: number;
            memory: string;
        };
        Asset: {
            compliance?: components["schemas"]["AssetCompliance"] | null;
            meta: components["schemas"]["AssetMeta"];
            status?: Record<string, never> | null;
            usageTimes?: Record<string, never> | null;
            usedBy?: components["schemas"]["AssetUsage"] | null;
        };
        AssetAnswer: {
            compliance?: components["schemas"]["AssetCompliance"] | null;
            meta: components["schemas"]["AssetMeta"];
            spec: Record<string, never>;
            status?: Record<string, never> | null;
            usageTimes?: Record<string, never> | null;
            usedBy?: components["schemas"]["AssetUsage"] | null;
        };
        AssetCompliance: {
            compliance?: boolean;
            imposed?: boolean;
            reason?: components["schemas"]["ComplianceIssue"][];
        };
        AssetList: {
            entries: components["schemas"]["AssetAnswer"][];
        };
        AssetMeta: {
            autoDelete?: boolean | null;
            /** Format: uuid */
            clusterId?: string | null;
            /** Format: date-time */
            createdAt: string;
            createdBy: string;
            departmentId?: string | null;
            description?: string | null;
            /** Format: uuid */
            id: string;
            kind: string;
            name: string;
            projectId?: number | null;
            projectName?: string | null;
            /** @enum {string} */
            scope: "system" | "tenant" | "cluster" | "department" | "project";
            tenantId?: number | null;
            /** Format: date-time */
            updatedAt: string;
            updatedBy: string;
            workloadSupportedTypes?: components["schemas"]["SupportedWorkloads"] | null;
        };
        AssetMetaDraft: {
            autoDelete?: boolean | null;
            /** Format: uuid */
            clusterId?: string | null;
            departmentId?: string | null;
            description?: string | null;
            name: string;
            projectId?: number | null;
            /** @enum {string} */
            scope: "system" | "tenant" | "cluster" | "department" | "project";
            workloadSupportedTypes?: components["schemas"]["SupportedWorkloads"] | null;
        };
        AssetMetaUpdate: {
            description?: string | null;
            name?: string;
        };
        AssetName: {
            /** Format: uuid */
            id: string;
            name: string;
        };
        AssetOverrides: {
            args?: string | null;
            command?: string | null;
            environmentVariables?: components["schemas"]["AssetVariable"][] | null;
            runAsGid?: number | null;
            runAsUid?: number | null;
            supplementalGroups?: string | null;
        };
        AssetUsage: {
            assets?: Record<string, never>;
            distributed?: components["schemas"]["AssetWorkload"][];
            inferences?: components["schemas"]["AssetWorkload"][];
            templates?: components["schemas"]["AssetName"][];
            trainings?: components["schemas"]["AssetWorkload"][];
            workspaces?: components["schemas"]["AssetWorkload"][];
        };
        AssetVariable: {
            credential?: components["schemas"]["VariableCredential"] | null;
            description?: string | null;
            exclude?: boolean | null;
            name?: string | null;
            value?: string | null;
        };
        AssetWorkload: {
            /** Format: uuid */
            id: string;
            name: string;
            status?: string;
        };
        Attempt: {
            awaySeconds: number;
            cause?: string | null;
            /** Format: date-time */
            endedAt?: string | null;
            exitCode?: number | null;
            gpus: string[];
            /** Format: uuid */
            id: string;
            message: string;
            nodes: string[];
            number: number;
            /** Format: date-time */
            placedAt: string;
            ranks: components["schemas"]["AttemptRank"][];
            /** @enum {string} */
            residence: "OnGpu" | "Leaving" | "Away" | "Returning";
            signal?: number | null;
            /** Format: date-time */
            startedAt?: string | null;
            stop?: components["schemas"]["AttemptStop"] | null;
        };
        AttemptList: {
            attempts: components["schemas"]["Attempt"][];
        };
        AttemptRank: {
            gpus: string[];
            node: string;
        };
        AttemptStop: {
            /** Format: date-time */
            at: string;
            by: string;
            cause: string;
            rule: string;
        };
        AuditLog: {
            /** @enum {string} */
            action: "create" | "update" | "delete" | "sign-in" | "sign-out" | "reset-password";
            entity_id: string;
            entity_name: string;
            entity_type: string;
            /** @enum {string} */
            http_method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "CREATE";
            http_status_code: number;
            /** Format: uuid */
            id: string;
            metadata: {
                [key: string]: string;
            };
            reqeust_id: string;
            request_id?: string;
            /** @enum {string} */
            result: "Succeeded" | "Failed";
            source_ip: string;
            subject: string;
            /** @enum {string} */
            subject_type: "User" | "App";
            tenant_id: string;
            /** Format: date-time */
            timestamp: string;
            url: string;
        };
        AuditLogPage: {
            audit_logs: components["schemas"]["AuditLog"][];
            logs: number;
            next?: number;
            total?: number;
        };
        BatchFailure: {
            code: number;
            /** Format: uuid */
            id: string;
            message: string;
        };
        BatchResult: {
            failed?: components["schemas"]["BatchFailure"][];
            /** Format: uuid */
            id: string;
            succeeded?: string[];
        };
        ClaimInfo: {
            accessModes?: components["schemas"]["AccessModes"] | null;
            /** Format: quantity */
            size?: string | null;
            storageClass?: string | null;
            /** @enum {string|null} */
            volumeMode?: "Filesystem" | "Block" | null;
        };
        Cluster: {
            /** Format: date-time */
            createdAt: string;
            domain?: string | null;
            engine?: string;
            /** Format: date-time */
            lastLiveness?: string | null;
            name: string;
            status?: components["schemas"]["ClusterState"] | null;
            tenantId: number;
            /** Format: date-time */
            updatedAt?: string | null;
            /** Format: uuid */
            uuid: string;
            version?: string | null;
        };
        ClusterDraft: {
            domain?: string | null;
            name: string;
            version?: string | null;
        };
        ClusterState: {
            /** @enum {string} */
            state?: "WaitingToConnect" | "Connected" | "Disconnected" | "MissingPrerequisites" | "ServiceIssues" | "Unknown";
        };
        ClusterUpdate: {
            name: string;
        };
        ComplianceIssue: {
            details: string;
            field: string;
        };
        ComputeDraft: {
            meta: components["schemas"]["AssetMetaDraft"];
            spec: components["schemas"]["ComputeSpec"];
        };
        ComputeSpec: {
            cpuCoreLimit?: number | null;
            cpuCoreRequest?: number | null;
            /** Format: quantity */
            cpuMemoryLimit?: string | null;
            /** Format: quantity */
            cpuMemoryRequest?: string | null;
            extendedResources?: components["schemas"]["ExtendedResource"][] | null;
            gpuDevicesRequest?: number | null;
            /** Format: quantity */
            gpuMemoryLimit?: string | null;
            /** Format: quantity */
            gpuMemoryRequest?: string | null;
            gpuPortionLimit?: number | null;
            gpuPortionRequest?: number | null;
            /** @enum {string|null} */
            gpuRequestType?: "portion" | "memory" | "migProfile" | null;
            largeShmRequest?: boolean | null;
            /** @enum {string|null} */
            migProfile?: "1g.5gb" | "1g.10gb" | "2g.10gb" | "2g.20gb" | "3g.20gb" | "3g.40gb" | "4g.20gb" | "4g.40gb" | "7g.40gb" | "7g.80gb" | null;
        };
        ComputeUpdate: {
            meta: components["schemas"]["AssetMetaUpdate"];
            spec: components["schemas"]["ComputeSpec"];
        };
        ConfigMapDraft: {
            meta: components["schemas"]["AssetMetaDraft"];
            spec: components["schemas"]["ConfigMapSpec"];
        };
        ConfigMapSpec: {
            configMap?: string | null;
            mountPath?: string | null;
        };
        ConfigMapUpdate: {
            meta: components["schemas"]["AssetMetaUpdate"];
            spec?: components["schemas"]["ConfigMapSpec"] | null;
        };
        Count: {
            count: number;
        };
        DataSet: {
            name: string;
            tags: components["schemas"]["DataSetTag"][];
            versions: components["schemas"]["DataSetVersion"][];
        };
        DataSetCommitted: {
            missing: string[];
            tag?: string;
            version?: components["schemas"]["DataSetManifest"];
        };
        DataSetDraft: {
            manifest: string[];
            name: string;
            push?: string;
            tag?: string;
        };
        DataSetList: {
            dataSets: components["schemas"]["DataSet"][];
            storedBytes: number;
        };
        DataSetManifest: {
            bytes: number;
            /** Format: date-time */
            createdAt: string;
            createdBy: string;
            files: number;
            manifest: string[];
            name: string;
            origin?: string;
            version: string;
        };
        DataSetRemoved: {
            freedBytes: number;
            versions: number;
        };
        DataSetTag: {
            /** Format: date-time */
            movedAt: string;
            tag: string;
            version: string;
        };
        DataSetVersion: {
            bytes: number;
            /** Format: date-time */
            createdAt: string;
            createdBy: string;
            files: number;
            origin?: string;
            version: string;
        };
        DataSourceOverrides: {
            containerPath?: string | null;
        };
        Department: {
            children?: components["schemas"]["OrgUnitName"][] | null;
            /** Format: uuid */
            clusterId: string;
            /** Format: date-time */
            createdAt: string;
            createdBy?: string;
            defaultNodePools?: string[] | null;
            description?: string | null;
            /** @enum {string|null} */
            fairness?: "fair-share" | "nth-gpu" | "decayed" | "fifo" | null;
            id: string;
            /** Format: label */
            name: string;
            nodeTypes?: components["schemas"]["NodeTypes"] | null;
            preemptMinRuntimeSeconds?: number | null;
            reclaimMinRuntimeSeconds?: number | null;
            resources: components["schemas"]["Resources"][];
            schedulingRules?: components["schemas"]["SchedulingRules"] | null;
            status?: components["schemas"]["DepartmentStatus"];
            totalResources: components["schemas"]["TotalResources"];
            /** Format: date-time */
            updatedAt: string;
            updatedBy?: string;
        };
        DepartmentChange: {
            /** Format: uuid */
            clusterId?: string | null;
            defaultNodePools?: string[] | null;
            description?: string | null;
            /** @enum {string|null} */
            fairness?: "fair-share" | "nth-gpu" | "decayed" | "fifo" | null;
            name?: string | null;
            nodeTypes?: components["schemas"]["NodeTypes"] | null;
            parentId?: string | null;
            preemptMinRuntimeSeconds?: number | null;
            reclaimMinRuntimeSeconds?: number | null;
            requestedNamespace?: string | null;
            resources: components["schemas"]["Resources"][];
            schedulingRules?: components["schemas"]["SchedulingRules"] | null;
        };
        DepartmentDraft: {
            /** Format: uuid */
            clusterId: string;
            defaultNodePools?: string[] | null;
            description?: string | null;
            /** @enum {string|null} */
            fairness?: "fair-share" | "nth-gpu" | "decayed" | "fifo" | null;
            /** Format: label */
            name: string;
            nodeTypes?: components["schemas"]["NodeTypes"] | null;
            preemptMinRuntimeSeconds?: number | null;
            reclaimMinRuntimeSeconds?: number | null;
            resources: components["schemas"]["Resources"][];
            schedulingRules?: components["schemas"]["SchedulingRules"] | null;
        };
        DepartmentList: {
            departments: components["schemas"]["Department"][];
            next?: number;
        };
        DepartmentStatus: {
            nodePoolQuotaStatuses?: components["schemas"]["PoolQuotaStatus"][];
            phaseMessage?: string | null;
            quotaStatus?: components["schemas"]["QuotaStatus"];
        };
        Distributed: {
            actualPhase?: string;
            /** Format: uuid */
            clusterId: string;
            /** Format: date-time */
            createdAt: string;
            createdBy: string;
            departmentId?: string;
            /** @enum {string} */
            desiredPhase: "Running" | "Stopped" | "Deleted";
            masterSpec?: components["schemas"]["SpecMaster"] | null;
            masterSpecSameAsWorker?: boolean;
            name: string;
            projectId: string;
            requestedName: string;
            spec: components["schemas"]["DistributedSpec"];
            /** Format: uuid */
            workloadId: string;
        };
        DistributedDraft: {
            /** Format: uuid */
            clusterId: string;
            masterSpec?: components["schemas"]["SpecMaster"] | null;
            masterSpecSameAsWorker?: boolean | null;
            /** Format: label */
            name: string;
            numberNameIfTaken?: boolean | null;
            projectId: string;
            spec?: components["schemas"]["DistributedSpec"] | null;
            useGivenNameAsPrefix?: boolean | null;
        };
        DistributedSpec: {
            annotations?: components["schemas"]["SpecAnnotation"][] | null;
            args?: unknown;
            array?: components["schemas"]["SpecArray"] | null;
            assets?: components["schemas"]["SpecAssets"] | null;
            autoDeletionTimeAfterCompletionSeconds?: number | null;
            backoffLimit?: number | null;
            /** Format: date-time */
            beginAt?: string | null;
            category?: string | null;
            /** @enum {string|null} */
            cleanPodPolicy?: "None" | "All" | "Running" | null;
            command?: unknown;
            compute?: components["schemas"]["SpecCompute"] | null;
            createHomeDir?: boolean | null;
            dependsOn?: components["schemas"]["SpecDependency"][] | null;
            /** @enum {string|null} */
            distributedFramework?: "MPI" | "PyTorch" | "TF" | "XGBoost" | "JAX" | null;
            environmentVariables?: components["schemas"]["SpecVariable"][] | null;
            excludeNodes?: string[] | null;
            exposedUrls?: components["schemas"]["SpecExposedUrl"][] | null;
            hold?: boolean | null;
            image?: string | null;
            /** @enum {string|null} */
            imagePullPolicy?: "Always" | "Never" | "IfNotPresent" | null;
            imagePullSecrets?: Record<string, never>[] | null;
            labels?: components["schemas"]["SpecLabel"][] | null;
            /** Format: quantity */
            logLimit?: string | null;
            maxReplicas?: number | null;
            minReplicas?: number | null;
            mpiLauncherCreationPolicy?: string | null;
            nodeAffinityRequired?: Record<string, never> | null;
            nodePools?: string[] | null;
            nodes?: string[] | null;
            nodeType?: string | null;
            numWorkers?: number | null;
            podAffinity?: components["schemas"]["SpecPodAffinity"] | null;
            ports?: components["schemas"]["SpecPort"][] | null;
            /** @enum {string|null} */
            preemptibility?: "preemptible" | "non-preemptible" | null;
            preemptSignal?: string | null;
            priorityClass?: string | null;
            probes?: components["schemas"]["SpecProbes"] | null;
            relatedUrls?: components["schemas"]["SpecRelatedUrl"][] | null;
            /** @enum {string|null} */
            restartPolicy?: "Always" | "OnFailure" | "Never" | null;
            retry?: components["schemas"]["SpecRetry"] | null;
            security?: components["schemas"]["SpecSecurity"] | null;
            signalBeforeEnd?: components["schemas"]["SpecWarning"] | null;
            slotsPerWorker?: number | null;
            sshAuthMountPath?: string | null;
            stdin?: boolean | null;
            steps?: components["schemas"]["SpecStep"][] | null;
            /** Format: date-time */
            stopAt?: string | null;
            storage?: components["schemas"]["SpecStorage"] | null;
            terminateAfterPreemption?: boolean | null;
            terminationGracePeriodSeconds?: number | null;
            timeLimitSeconds?: number | null;
            tolerations?: components["schemas"]["SpecToleration"][] | null;
            topology?: Record<string, never> | null;
            tty?: boolean | null;
            workingDir?: string | null;
        };
        DockerRegistryDraft: {
            meta: components["schemas"]["AssetMetaDraft"];
            spec: components["schemas"]["DockerRegistrySpec"];
        };
        DockerRegistrySpec: {
            existingSecretName?: string | null;
            password?: string | null;
            url?: string | null;
            user?: string | null;
        };
        DockerRegistryUpdate: {
            meta: components["schemas"]["AssetMetaUpdate"];
            spec?: components["schemas"]["DockerRegistrySpec"] | null;
        };
        DrainOrder: {
            reason: string;
            /** Format: date-time */
            stopAt?: string | null;
            /** Format: date-time */
            until?: string | null;
        };
        DryRun: {
            onlyWhetherEver?: boolean | null;
            /** @enum {string} */
            type: "Workspace" | "Training" | "Distributed" | "Inference";
            workload: Record<string, never>;
        };
        Effective: {
            defaultNodePools?: string[] | null;
            nodeTypes?: components["schemas"]["NodeTypes"] | null;
            schedulingRules?: components["schemas"]["SchedulingRules"] | null;
        };
        EngineAbilities: {
            containerDaemon: string;
            containers: boolean;
            containersMissing: string;
            cpuLimits: boolean;
            gpuFilter: boolean;
            gpuFilterMissing: string;
            gpuSlices: boolean;
            memoryLimits: boolean;
            name: string;
            parking: boolean;
            parkingMissing: string;
            processes: boolean;
        };
        EnvironmentConnection: {
            externalToolInfo?: components["schemas"]["ExternalTool"] | null;
            internalToolInfo?: components["schemas"]["InternalTool"] | null;
            isExternal?: boolean | null;
            name: string;
        };
        EnvironmentDraft: {
            meta: components["schemas"]["AssetMetaDraft"];
            spec: components["schemas"]["EnvironmentSpec"];
        };
        EnvironmentSpec: {
            allowPrivilegeEscalation?: boolean | null;
            args?: string | null;
            capabilities?: string[] | null;
            command?: string | null;
            connections?: components["schemas"]["EnvironmentConnection"][] | null;
            createHomeDir?: boolean | null;
            environmentVariables?: components["schemas"]["AssetVariable"][] | null;
            hostIpc?: boolean | null;
            hostNetwork?: boolean | null;
            image?: string | null;
            /** @enum {string|null} */
            imagePullPolicy?: "Always" | "Never" | "IfNotPresent" | null;
            overrideUidGidInWorkspace?: boolean | null;
            probes?: components["schemas"]["Probes"] | null;
            readOnlyRootFilesystem?: boolean | null;
            runAsGid?: number | null;
            runAsNonRoot?: boolean | null;
            runAsUid?: number | null;
            /** @enum {string|null} */
            seccompProfileType?: "RuntimeDefault" | "Unconfined" | "Localhost" | null;
            stdin?: boolean | null;
            supplementalGroups?: string | null;
            tty?: boolean | null;
            /** @enum {string|null} */
            uidGidSource?: "fromTheImage" | "fromIdpToken" | "custom" | null;
            workingDir?: string | null;
        };
        EnvironmentUpdate: {
            meta: components["schemas"]["AssetMetaUpdate"];
            spec: components["schemas"]["EnvironmentSpec"];
        };
        Error: {
            code: number;
            complianceIssues?: components["schemas"]["ComplianceIssue"][];
            details?: string;
            message: string;
        };
        EventLine: {
            /** Format: uuid */
            clusterId: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            id?: string;
            involvedObject?: components["schemas"]["InvolvedObject"];
            message: string;
            reason?: string;
            source?: string;
            type: string;
        };
        EventList: {
            events: components["schemas"]["EventLine"][];
            next?: number;
        };
        Experiment: {
            id: string;
            name: string;
            projectId: number;
            projectName: string;
            runs: number;
        };
        ExperimentList: {
            experiments: components["schemas"]["Experiment"][];
        };
        ExtendedResource: {
            exclude?: boolean | null;
            quantity?: string | null;
            resource?: string | null;
        };
        Extension: {
            seconds: number;
        };
        ExternalTool: {
            externalUrl: string;
            /** @enum {string} */
            toolType: "wandb" | "comet";
        };
        ExternalUrlInfo: {
            externalUrl?: string | null;
            isCustomUrl?: boolean | null;
        };
        FoldedList: {
            arrays: components["schemas"]["ArraySum"][];
            next?: number;
            workloads: components["schemas"]["Workload"][];
        };
        FtpsLogin: {
            /** Format: date-time */
            createdAt: string;
            login: string;
            user: string;
        };
        FtpsLoginList: {
            certificate: string;
            host: string;
            logins: components["schemas"]["FtpsLogin"][];
            port: number;
        };
        FtpsPassword: {
            certificate: string;
            /** Format: date-time */
            createdAt: string;
            host: string;
            login: string;
            password: string;
            port: number;
            user: string;
        };
        FtpsTake: {
            bytes: number;
            files?: number;
            name?: string;
            problem?: string;
            skipped?: number;
            /** @enum {string} */
            state: "waiting" | "reading" | "done" | "failed";
            tag: string;
            takeId: string;
            version?: string;
        };
        FtpsTakeDraft: {
            folder: string;
            name: string;
            tag?: string;
        };
        GenericSecretDraft: {
            meta: components["schemas"]["AssetMetaDraft"];
            spec: components["schemas"]["GenericSecretSpec"];
        };
        GenericSecretSpec: {
            existingSecretName?: string | null;
            keyValuePairs?: components["schemas"]["KeyValuePair"][] | null;
        };
        GenericSecretUpdate: {
            meta: components["schemas"]["AssetMetaUpdate"];
            spec?: components["schemas"]["GenericSecretSpec"] | null;
        };
        GitDraft: {
            meta: components["schemas"]["AssetMetaDraft"];
            spec: components["schemas"]["GitSpec"];
        };
        GitSpec: {
            branch?: string | null;
            /** Format: uuid */
            passwordAssetId?: string | null;
            path?: string | null;
            repository?: string | null;
            revision?: string | null;
        };
        GitUpdate: {
            meta: components["schemas"]["AssetMetaUpdate"];
            spec: components["schemas"]["GitSpec"];
        };
        GpuCounts: {
            models: components["schemas"]["GpuModelCount"][];
        };
        GpuDevice: {
            busyPercent?: number | null;
            /** Format: uuid */
            clusterId?: string;
            declared: boolean;
            fault: string;
            foreign: string;
            health?: components["schemas"]["GpuHealth"];
            heldByOthers: number;
            /** @enum {string} */
            isolation: "hardware" | "kernel" | "cooperative" | "counted" | "declared";
            links?: components["schemas"]["GpuLink"][];
            memory: string;
            model: string;
            node: string;
            numaNode?: number;
            outOfService?: string;
            pci?: string;
            used?: string | null;
            uuid: string;
            workloads: components["schemas"]["GpuHolder"][];
        };
        GpuHealth: {
            eccCorrected?: number;
            eccUncorrected?: number;
            energyJoules?: number;
            lastXid?: string;
            memoryClockMhz?: number;
            powerLimitWatts?: number;
            powerWatts?: number;
            processes?: number;
            remappedRows?: number;
            slowedBy?: string[];
            smClockMaxMhz?: number;
            smClockMhz?: number;
            temperatureCelsius?: number;
            xids?: number;
        };
        GpuHold: {
            gpu: string;
            node: string;
            part: number;
        };
        GpuHolder: {
            gpuMemory?: string | null;
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            isolation: "hardware" | "kernel" | "cooperative" | "counted" | "declared";
            name: string;
            part: number;
            projectName: string;
            userName: string;
        };
        GpuHours: {
            held: number;
            idle: number;
            notMeasured: number;
            used: number;
        };
        GpuInfo: {
            gpuCount: number;
            gpuType: string;
        };
        GpuLimitOrder: {
            /** Format: quantity */
            gpuMemoryLimit?: string | null;
            gpuPortionLimit?: number | null;
        };
        GpuLink: {
            /** @enum {string} */
            closeness?: "nvlink" | "board" | "switch" | "switches" | "bridge" | "numa" | "system";
            gpu: string;
            nvlinks?: number;
        };
        GpuList: {
            gpus: components["schemas"]["GpuDevice"][];
        };
        GpuModelCount: {
            free: number;
            inUse: number;
            model: string;
            outOfService: number;
            partlyFree: number;
            total: number;
        };
        GpuShare: {
            deserved: number;
            limit?: number | null;
            overQuotaWeight?: number | null;
        };
        GpuTime: {
            held: number;
            idle: number;
            notMeasured: number;
            used: number;
        };
        GpuUse: {
            busyPercent?: number | null;
            gpus: number;
            measuredGpus: number;
            /** Format: uuid */
            workloadId: string;
        };
        GpuUses: {
            workloads: components["schemas"]["GpuUse"][];
        };
        Health: {
            status: string;
        };
        HistoryList: {
            next?: number;
            records: components["schemas"]["HistoryRecord"][];
        };
        HistoryMeta: {
            /** Format: date-time */
            creationTimestamp: string;
            /** @enum {string} */
            type: "Event" | "PhaseUpdate";
        };
        HistoryRecord: {
            meta: components["schemas"]["HistoryMeta"];
            spec: components["schemas"]["HistorySpec"];
        };
        HistorySpec: {
            event?: components["schemas"]["EventLine"] | null;
            phaseUpdate?: components["schemas"]["PhaseUpdate"] | null;
        };
        HostAccess: {
            capabilities?: string[] | null;
            claims?: components["schemas"]["HostAccessClaim"][] | null;
            hostIpc?: boolean | null;
            hostNetwork?: boolean | null;
            ids?: string[] | null;
            paths?: components["schemas"]["HostAccessPath"][] | null;
            scopeId: string;
            /** @enum {string} */
            scopeType: "tenant" | "cluster" | "department" | "project";
        };
        HostAccessChange: {
            capabilities?: string[] | null;
            claims?: components["schemas"]["HostAccessClaim"][] | null;
            hostIpc?: boolean | null;
            hostNetwork?: boolean | null;
            ids?: string[] | null;
            paths?: components["schemas"]["HostAccessPath"][] | null;
        };
        HostAccessClaim: {
            name: string;
            readOnly?: boolean | null;
            source: string;
        };
        HostAccessLists: {
            lists: components["schemas"]["HostAccess"][];
        };
        HostAccessPath: {
            path: string;
            readOnly?: boolean | null;
        };
        HostPathDraft: {
            meta: components["schemas"]["AssetMetaDraft"];
            spec: components["schemas"]["HostPathSpec"];
        };
        HostPathSpec: {
            mountPath?: string | null;
            /** @enum {string|null} */
            mountPropagation?: "None" | "HostToContainer" | null;
            path?: string | null;
            readOnly?: boolean | null;
        };
        HostPathUpdate: {
            meta: components["schemas"]["AssetMetaUpdate"];
            spec: components["schemas"]["HostPathSpec"];
        };
        Inference: {
            actualPhase?: string;
            /** Format: uuid */
            clusterId: string;
            /** Format: date-time */
            createdAt: string;
            createdBy: string;
            departmentId?: string;
            /** @enum {string} */
            desiredPhase: "Running" | "Stopped" | "Deleted";
            name: string;
            projectId: string;
            requestedName: string;
            spec: components["schemas"]["InferenceSpec"];
            /** Format: uuid */
            workloadId: string;
        };
        InferenceDraft: {
            /** Format: uuid */
            clusterId: string;
            /** Format: label */
            name: string;
            numberNameIfTaken?: boolean | null;
            projectId: string;
            spec?: components["schemas"]["InferenceSpec"] | null;
            useGivenNameAsPrefix?: boolean | null;
        };
        InferencePatch: {
            spec: components["schemas"]["InferencePatchSpec"];
        };
        InferencePatchSpec: {
            args?: unknown;
            autoscaling?: components["schemas"]["SpecAutoscaling"] | null;
            command?: unknown;
            compute?: components["schemas"]["SpecCompute"] | null;
            createHomeDir?: boolean | null;
            environmentVariables?: components["schemas"]["SpecVariable"][] | null;
            image?: string | null;
            /** @enum {string|null} */
            imagePullPolicy?: "Always" | "Never" | "IfNotPresent" | null;
            imagePullSecrets?: Record<string, never>[] | null;
            probes?: components["schemas"]["SpecProbes"] | null;
            servingPort?: components["schemas"]["SpecServingPort"] | null;
            workingDir?: string | null;
        };
        InferenceSpec: {
            annotations?: components["schemas"]["SpecAnnotation"][] | null;
            args?: unknown;
            assets?: components["schemas"]["SpecAssets"] | null;
            autoscaling?: components["schemas"]["SpecAutoscaling"] | null;
            category?: string | null;
            command?: unknown;
            compute?: components["schemas"]["SpecCompute"] | null;
            createHomeDir?: boolean | null;
            environmentVariables?: components["schemas"]["SpecVariable"][] | null;
            excludeNodes?: string[] | null;
            exposedUrls?: components["schemas"]["SpecExposedUrl"][] | null;
            image?: string | null;
            /** @enum {string|null} */
            imagePullPolicy?: "Always" | "Never" | "IfNotPresent" | null;
            imagePullSecrets?: Record<string, never>[] | null;
            labels?: components["schemas"]["SpecLabel"][] | null;
            nodeAffinityRequired?: Record<string, never> | null;
            nodePools?: string[] | null;
            nodes?: string[] | null;
            nodeType?: string | null;
            podAffinity?: components["schemas"]["SpecPodAffinity"] | null;
            ports?: components["schemas"]["SpecPort"][] | null;
            /** @enum {string|null} */
            preemptibility?: "preemptible" | "non-preemptible" | null;
            priorityClass?: string | null;
            probes?: components["schemas"]["SpecProbes"] | null;
            relatedUrls?: components["schemas"]["SpecRelatedUrl"][] | null;
            security?: components["schemas"]["SpecSecurity"] | null;
            servingConfiguration?: Record<string, never> | null;
            servingPort?: components["schemas"]["SpecServingPort"] | null;
            storage?: components["schemas"]["SpecStorage"] | null;
            tolerations?: components["schemas"]["SpecToleration"][] | null;
            topology?: Record<string, never> | null;
            workingDir?: string | null;
        };
        InternalTool: {
            /** @enum {string} */
            connectionType: "LoadBalancer" | "NodePort" | "ExternalUrl" | "ServingPort";
            containerPort: number;
            externalUrlInfo?: components["schemas"]["ExternalUrlInfo"] | null;
            nodePortInfo?: components["schemas"]["NodePortInfo"] | null;
            servingPortInfo?: components["schemas"]["ServingPortInfo"] | null;
            /** @enum {string} */
            toolType: "jupyter-notebook" | "pycharm" | "visual-studio-code" | "tensorboard" | "rstudio" | "mlflow" | "custom" | "matlab" | "chatbot-ui";
        };
        InvolvedObject: {
            kind: string;
            name: string;
            namespace: string;
            /** Format: uuid */
            uid: string;
        };
        KeyValuePair: {
            key?: string | null;
            value?: string | null;
        };
        LoginSession: {
            address: string;
            /** Format: date-time */
            createdAt: string;
            current: boolean;
            /** Format: date-time */
            expiresAt: string;
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            usedAt: string;
        };
        Logo: {
            logo: string;
        };
        Me: {
            groups: string[];
            hasFirstPassword?: boolean;
            id: string;
            mustChangePassword: boolean;
            roles: components["schemas"]["MyRole"][];
            /** @enum {string} */
            subjectType: "user" | "app" | "group";
            username: string;
        };
        MeasuredSeries: {
            labels?: {
                [key: string]: string;
            } | null;
            type: string;
            values: components["schemas"]["MeasuredValue"][] | null;
        };
        MeasuredValue: {
            /** Format: date-time */
            timestamp: string | null;
            value: string;
        };
        Measurement: {
            labels?: {
                [key: string]: string;
            } | null;
            type: string;
            values: components["schemas"]["MetricValue"][];
        };
        Measurements: {
            measurements: components["schemas"]["MeasuredSeries"][];
        };
        MemoryShare: {
            deserved?: number | null;
            limit?: number | null;
            overQuotaWeight?: number | null;
            /** @enum {string} */
            units: "Mib" | "MB" | "GB";
        };
        MetricHistory: {
            next?: string;
            points: components["schemas"]["MetricPoint"][];
        };
        MetricPoint: {
            step: number;
            /** Format: date-time */
            time: string;
            value: unknown;
        };
        MetricValue: {
            /** Format: date-time */
            timestamp: string;
            value: string;
        };
        MyRole: {
            roleId: number;
            roleName: string;
            scopeId: string;
            scopeName: string;
            /** @enum {string} */
            scopeType: "system" | "tenant" | "cluster" | "department" | "project";
        };
        NfsDraft: {
            meta: components["schemas"]["AssetMetaDraft"];
            spec: components["schemas"]["NfsSpec"];
        };
        NfsSpec: {
            mountPath?: string | null;
            path?: string | null;
            readOnly?: boolean | null;
            server?: string | null;
        };
        NfsUpdate: {
            meta: components["schemas"]["AssetMetaUpdate"];
            spec: components["schemas"]["NfsSpec"];
        };
        Node: {
            clusterName?: string;
            /** Format: uuid */
            clusterUuid: string;
            conditions?: components["schemas"]["NodeCondition"][];
            cpuCores?: number;
            /** Format: date-time */
            createdAt: string;
            declared?: boolean;
            drain?: components["schemas"]["NodeDrain"] | null;
            gpuInfo?: components["schemas"]["GpuInfo"] | null;
            /** Format: quantity */
            gpuMemory?: string;
            /** Format: uuid */
            id?: string;
            labels?: {
                [key: string]: string;
            };
            /** Format: quantity */
            memory?: string;
            name: string;
            nodePool: string;
            simulated?: boolean;
            /** @enum {string} */
            status: "Ready" | "NotReady" | "Unknown";
            taints?: components["schemas"]["NodeTaint"][];
            /** Format: date-time */
            updatedAt: string;
        };
        NodeCondition: {
            message?: string;
            reason: string;
            type: string;
        };
        NodeDraft: {
            /** Format: uuid */
            clusterId?: string | null;
            cpuCores?: number | null;
            gpuCount?: number | null;
            /** Format: quantity */
            gpuMemory?: string | null;
            gpuType?: string | null;
            labels?: {
                [key: string]: string;
            } | null;
            /** Format: quantity */
            memory?: string | null;
            name: string;
            /** @enum {string|null} */
            status?: "Ready" | "NotReady" | "Unknown" | null;
            taints?: components["schemas"]["NodeTaint"][] | null;
        };
        NodeDrain: {
            by: string;
            reason: string;
            /** Format: date-time */
            since: string;
            /** Format: date-time */
            stopAt?: string;
            /** Format: date-time */
            until?: string;
        };
        NodeLabelChange: {
            remove?: string[] | null;
            set?: {
                [key: string]: string;
            } | null;
        };
        NodeLack: {
            missing: string;
            node: string;
        };
        NodeList: {
            next?: number;
            nodes: components["schemas"]["Node"][];
        };
        NodePool: {
            /** Format: uuid */
            clusterId: string;
            clusterName: string;
            /** Format: date-time */
            createdAt: string;
            createdBy: string;
            id: string;
            isDefault: boolean;
            labelKey: string;
            labelValue: string;
            name: string;
            overProvisioningRatio?: number | null;
            /** @enum {string} */
            phase?: "Creating" | "Updating" | "Deleting" | "Empty" | "Unschedulable" | "Ready" | "Deleted";
            phaseMessage?: string;
            placementStrategy?: components["schemas"]["PlacementStrategy"] | null;
            status?: components["schemas"]["NodePoolStatus"];
            tenantId: number;
            /** Format: date-time */
            updatedAt: string;
            updatedBy: string;
        };
        NodePoolDraft: {
            /** Format: uuid */
            clusterId: string;
            labelKey: string;
            labelValue: string;
            name: string;
            overProvisioningRatio?: number | null;
            placementStrategy?: components["schemas"]["PlacementStrategy"] | null;
        };
        NodePoolList: {
            nodepools: components["schemas"]["NodePool"][];
        };
        NodePoolRef: {
            id: string;
            name?: string;
        };
        NodePoolStatus: {
            labelKey?: string | null;
            labelValue?: string | null;
            nodes?: string[];
            overProvisioningRatio?: number | null;
            placementStrategy?: components["schemas"]["PlacementStrategy"] | null;
        };
        NodePoolUpdate: {
            labelKey?: string | null;
            labelValue?: string | null;
            overProvisioningRatio?: number | null;
            placementStrategy?: components["schemas"]["PlacementStrategy"] | null;
        };
        NodePortInfo: {
            isCustomPort?: boolean | null;
        };
        NodeTaint: {
            /** @enum {string} */
            effect: "NoSchedule" | "PreferNoSchedule" | "NoExecute";
            key: string;
            value?: string | null;
        };
        NodeTypes: {
            names?: {
                [key: string]: string;
            } | null;
            training?: string[] | null;
            workspace?: string[] | null;
        };
        NodeUpdate: {
            cpuCores?: number | null;
            gpuCount?: number | null;
            /** Format: quantity */
            gpuMemory?: string | null;
            gpuType?: string | null;
            labels?: {
                [key: string]: string;
            } | null;
            /** Format: quantity */
            memory?: string | null;
            /** @enum {string|null} */
            status?: "Ready" | "NotReady" | "Unknown" | null;
            taints?: components["schemas"]["NodeTaint"][] | null;
        };
        NotificationChannelState: {
            available: boolean;
            /** @enum {string} */
            channel: "email" | "slack" | "webhook";
            message: string;
        };
        NotificationDelivery: {
            /** Format: date-time */
            at: string;
            /** @enum {string} */
            event: "Running" | "Completed" | "Failed" | "Preempted" | "EndedByOther" | "IdleWarning" | "TimeLimitNear" | "WaitingLong" | "Test";
            /** Format: uuid */
            id: string;
            lastError: string;
            lastStatus: number | null;
            /** Format: date-time */
            lastTryAt: string | null;
            leftOut: number;
            message: string;
            /** Format: date-time */
            nextTryAt: string | null;
            /** @enum {string} */
            outcome: "Pending" | "Sent" | "GivenUp";
            projectName: string;
            reason: string;
            /** Format: uuid */
            ruleId: string;
            ruleName: string;
            tries: number;
            /** Format: uuid */
            workloadId?: string;
            workloadName: string;
        };
        NotificationRule: {
            /** @enum {string} */
            channel: "email" | "slack" | "webhook";
            /** Format: date-time */
            createdAt: string;
            createdBy: string;
            enabled: boolean;
            events: ("Running" | "Completed" | "Failed" | "Preempted" | "EndedByOther" | "IdleWarning" | "TimeLimitNear" | "WaitingLong")[];
            /** Format: uuid */
            id: string;
            leftSeconds: number;
            name: string;
            projectId?: string;
            projectName?: string;
            signed: boolean;
            target: string;
            /** Format: date-time */
            updatedAt: string;
            updatedBy: string;
            userName?: string;
            waitingSeconds: number;
        };
        NotificationRuleDraft: {
            /** @enum {string} */
            channel: "email" | "slack" | "webhook";
            enabled?: boolean | null;
            events: ("Running" | "Completed" | "Failed" | "Preempted" | "EndedByOther" | "IdleWarning" | "TimeLimitNear" | "WaitingLong")[];
            leftSeconds?: number | null;
            name: string;
            projectId?: string | null;
            secret?: string | null;
            target?: string | null;
            waitingSeconds?: number | null;
        };
        OauthToken: {
            access_token: string;
            expires_in?: number;
            refresh_token?: string;
            token_type: string;
        };
        OrgUnit: {
            /** Format: uuid */
            clusterId: string;
            /** Format: date-time */
            createdAt: string;
            createdBy?: string;
            defaultNodePools?: string[] | null;
            description?: string | null;
            id: string;
            /** Format: label */
            name: string;
            nodeTypes?: components["schemas"]["NodeTypes"] | null;
            preemptMinRuntimeSeconds?: number | null;
            reclaimMinRuntimeSeconds?: number | null;
            resources: components["schemas"]["Resources"][];
            schedulingRules?: components["schemas"]["SchedulingRules"] | null;
            totalResources: components["schemas"]["TotalResources"];
            /** Format: date-time */
            updatedAt: string;
            updatedBy?: string;
        };
        OrgUnitChange: {
            /** Format: uuid */
            clusterId?: string | null;
            defaultNodePools?: string[] | null;
            description?: string | null;
            name?: string | null;
            nodeTypes?: components["schemas"]["NodeTypes"] | null;
            parentId?: string | null;
            preemptMinRuntimeSeconds?: number | null;
            reclaimMinRuntimeSeconds?: number | null;
            requestedNamespace?: string | null;
            resources: components["schemas"]["Resources"][];
            schedulingRules?: components["schemas"]["SchedulingRules"] | null;
        };
        OrgUnitDraft: {
            /** Format: uuid */
            clusterId: string;
            defaultNodePools?: string[] | null;
            description?: string | null;
            /** Format: label */
            name: string;
            nodeTypes?: components["schemas"]["NodeTypes"] | null;
            preemptMinRuntimeSeconds?: number | null;
            reclaimMinRuntimeSeconds?: number | null;
            resources: components["schemas"]["Resources"][];
            schedulingRules?: components["schemas"]["SchedulingRules"] | null;
        };
        OrgUnitName: {
            id: string;
            name: string;
        };
        OrgUnitUpdate: {
            defaultNodePools?: string[] | null;
            description?: string | null;
            nodeTypes?: components["schemas"]["NodeTypes"] | null;
            preemptMinRuntimeSeconds?: number | null;
            reclaimMinRuntimeSeconds?: number | null;
            resources: components["schemas"]["Resources"][];
            schedulingRules?: components["schemas"]["SchedulingRules"] | null;
        };
        OutputFile: {
            bytes: number;
            /** Format: date-time */
            modifiedAt: string;
            path: string;
            /** @enum {string} */
            type: "file" | "folder" | "link" | "other";
        };
        OutputList: {
            files: components["schemas"]["OutputFile"][];
            truncated: boolean;
        };
        OwnApplication: {
            clientId: string;
            /** Format: date-time */
            createdAt: string | null;
            createdBy?: string;
            id: string;
            /** Format: date-time */
            lastLogin: string | null;
            name: string;
        };
        PasswordChange: {
            currentPassword: string;
            newPassword: string;
        };
        PasswordDraft: {
            meta: components["schemas"]["AssetMetaDraft"];
            spec: components["schemas"]["PasswordSpec"];
        };
        PasswordSpec: {
            existingSecretName?: string | null;
            password?: string | null;
            user?: string | null;
        };
        PasswordUpdate: {
            meta: components["schemas"]["AssetMetaUpdate"];
            spec?: components["schemas"]["PasswordSpec"] | null;
        };
        PendingMessage: {
            nodePool: string;
            /** @enum {string|null} */
            orgType?: "PROJECT" | "DEPARTMENT" | null;
            /** @enum {string} */
            phaseReason: "NonPreemptibleOverQuota" | "OverLimit";
            reason: string;
            userMessage?: string | null;
        };
        Permission: {
            actions: ("create" | "read" | "update" | "delete" | "sync")[];
            displayName: string;
            /** @enum {string} */
            groupId: "organization" | "physical-resource" | "iam" | "dashboard" | "workload" | "workload-asset";
            resourceType: string;
        };
        PermissionDraft: {
            actions: ("create" | "read" | "update" | "delete" | "sync")[];
            displayName?: string;
            /** @enum {string} */
            groupId?: "organization" | "physical-resource" | "iam" | "dashboard" | "workload" | "workload-asset";
            resourceType: string;
        };
        PermittedScopes: {
            clusters?: string[];
            departments?: string[];
            projects?: string[];
            system?: boolean;
            tenant?: string;
            tenants?: string[];
        };
        PermittedScopesActions: {
            create: components["schemas"]["PermittedScopes"];
            delete: components["schemas"]["PermittedScopes"];
            read: components["schemas"]["PermittedScopes"];
            update: components["schemas"]["PermittedScopes"];
        };
        PermittedScopesRequest: {
            /** @enum {string|null} */
            action?: "create" | "read" | "update" | "delete" | null;
            resourceType: string;
        };
        PersonalToken: {
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
            /** Format: uuid */
            id: string;
            name: string;
        };
        PersonalTokenCreated: {
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
            /** Format: uuid */
            id: string;
            name: string;
            token: string;
        };
        PersonalTokenDraft: {
            days?: number | null;
            /** Format: date-time */
            expiresAt?: string | null;
            name: string;
        };
        PhaseUpdate: {
            phase: string;
            phaseMessage: string;
        };
        PlacementStrategy: {
            /** @enum {string|null} */
            cpu?: "spread" | "binpack" | null;
            /** @enum {string|null} */
            gpu?: "spread" | "binpack" | null;
        };
        PodList: {
            next?: number;
            pods: Record<string, never>[];
        };
        PolicyAnswer: {
            effective?: components["schemas"]["PolicyBody"] | null;
            /** Format: date-time */
            effectiveUpdatedAt?: string;
            meta?: components["schemas"]["PolicyMeta"];
            policy?: components["schemas"]["PolicyBody"] | null;
        };
        PolicyBody: {
            defaults?: Record<string, never> | null;
            imposedAssets?: unknown;
            rules?: Record<string, never> | null;
            status?: Record<string, never> | null;
        };
        PolicyList: {
            policies?: components["schemas"]["PolicyListEntry"][];
        };
        PolicyListEntry: {
            meta?: components["schemas"]["PolicyMeta"];
            status?: components["schemas"]["PolicyStatus"];
            /** @enum {string} */
            type?: "workspace" | "training" | "distributed" | "inference" | "fallback";
        };
        PolicyMeta: {
            /** Format: uuid */
            clusterId?: string | null;
            /** Format: date-time */
            createdAt: string;
            createdBy: string;
            departmentId?: string | null;
            /** Format: uuid */
            id: string;
            name: string;
            projectId?: number | null;
            /** @enum {string} */
            scope: "tenant" | "cluster" | "department" | "project";
            tenantId?: number;
            /** Format: date-time */
            updatedAt: string;
            updatedBy: string;
        };
        PolicyMetaDraft: {
            /** Format: uuid */
            clusterId?: string | null;
            departmentId?: string | null;
            name: string;
            projectId?: number | null;
            /** @enum {string} */
            scope: "tenant" | "cluster" | "department" | "project";
        };
        PolicyOverwrite: {
            meta: components["schemas"]["PolicyMetaDraft"];
            policy: components["schemas"]["PolicyBody"];
        };
        PolicyPatch: {
            meta: components["schemas"]["PolicyMetaDraft"];
            policy?: components["schemas"]["PolicyBody"] | null;
            reset?: string[] | null;
        };
        PolicySpec: {
            annotations?: components["schemas"]["SpecAnnotation"][] | null;
            args?: unknown;
            array?: components["schemas"]["SpecArray"] | null;
            assets?: components["schemas"]["SpecAssets"] | null;
            autoDeletionTimeAfterCompletionSeconds?: number | null;
            autoscaling?: components["schemas"]["SpecAutoscaling"] | null;
            backoffLimit?: number | null;
            /** Format: date-time */
            beginAt?: string | null;
            category?: string | null;
            /** @enum {string|null} */
            cleanPodPolicy?: "None" | "All" | "Running" | null;
            command?: unknown;
            completions?: number | null;
            compute?: components["schemas"]["SpecCompute"] | null;
            createHomeDir?: boolean | null;
            dependsOn?: components["schemas"]["SpecDependency"][] | null;
            /** @enum {string|null} */
            distributedFramework?: "MPI" | "PyTorch" | "TF" | "XGBoost" | "JAX" | null;
            environmentVariables?: components["schemas"]["SpecVariable"][] | null;
            excludeNodes?: string[] | null;
            exposedUrls?: components["schemas"]["SpecExposedUrl"][] | null;
            hold?: boolean | null;
            image?: string | null;
            /** @enum {string|null} */
            imagePullPolicy?: "Always" | "Never" | "IfNotPresent" | null;
            imagePullSecrets?: Record<string, never>[] | null;
            labels?: components["schemas"]["SpecLabel"][] | null;
            /** Format: quantity */
            logLimit?: string | null;
            maxReplicas?: number | null;
            minReplicas?: number | null;
            mpiLauncherCreationPolicy?: string | null;
            nodeAffinityRequired?: Record<string, never> | null;
            nodePools?: string[] | null;
            nodes?: string[] | null;
            nodeType?: string | null;
            numWorkers?: number | null;
            parallelism?: number | null;
            podAffinity?: components["schemas"]["SpecPodAffinity"] | null;
            ports?: components["schemas"]["SpecPort"][] | null;
            /** @enum {string|null} */
            preemptibility?: "preemptible" | "non-preemptible" | null;
            preemptSignal?: string | null;
            priorityClass?: string | null;
            probes?: components["schemas"]["SpecProbes"] | null;
            relatedUrls?: components["schemas"]["SpecRelatedUrl"][] | null;
            /** @enum {string|null} */
            restartPolicy?: "Always" | "OnFailure" | "Never" | null;
            retry?: components["schemas"]["SpecRetry"] | null;
            security?: components["schemas"]["SpecSecurity"] | null;
            servingConfiguration?: Record<string, never> | null;
            servingPort?: components["schemas"]["SpecServingPort"] | null;
            signalBeforeEnd?: components["schemas"]["SpecWarning"] | null;
            slotsPerWorker?: number | null;
            sshAuthMountPath?: string | null;
            stdin?: boolean | null;
            steps?: components["schemas"]["SpecStep"][] | null;
            /** Format: date-time */
            stopAt?: string | null;
            storage?: components["schemas"]["SpecStorage"] | null;
            terminateAfterPreemption?: boolean | null;
            terminationGracePeriodSeconds?: number | null;
            timeLimitSeconds?: number | null;
            tolerations?: components["schemas"]["SpecToleration"][] | null;
            topology?: Record<string, never> | null;
            tty?: boolean | null;
            workingDir?: string | null;
        };
        PolicyStatus: {
            clusters?: components["schemas"]["PolicySync"][];
        };
        PolicySync: {
            /** Format: uuid */
            clusterId: string;
            status: string;
        };
        PoolQuotaStatus: {
            allocated?: components["schemas"]["QuotaAmounts"];
            allocatedNonPreemptible?: components["schemas"]["QuotaAmounts"];
            nodePoolId: string;
            nodePoolName: string;
            requested?: components["schemas"]["QuotaAmounts"];
        };
        Price: {
            amount: number;
            currency: string;
        };
        PriorityOrder: {
            priorityClass: string;
        };
        Probe: {
            failureThreshold?: number | null;
            handler?: components["schemas"]["ProbeHandler"] | null;
            initialDelaySeconds?: number | null;
            periodSeconds?: number | null;
            successThreshold?: number | null;
            timeoutSeconds?: number | null;
        };
        ProbeHandler: {
            httpGet?: components["schemas"]["ProbeHttpGet"] | null;
        };
        ProbeHttpGet: {
            host?: string | null;
            path?: string | null;
            port?: number | null;
            /** @enum {string|null} */
            scheme?: "HTTP" | "HTTPS" | null;
        };
        Probes: {
            readiness?: components["schemas"]["Probe"] | null;
        };
        Project: {
            /** Format: uuid */
            clusterId: string;
            clusters?: string[];
            /** Format: date-time */
            createdAt: string;
            createdBy?: string;
            defaultNodePools?: string[] | null;
            description?: string | null;
            effective: components["schemas"]["Effective"];
            id: string;
            /** Format: label */
            name: string;
            nodeTypes?: components["schemas"]["NodeTypes"] | null;
            parent?: components["schemas"]["OrgUnitName"] | null;
            parentId: string;
            preemptMinRuntimeSeconds?: number | null;
            reclaimMinRuntimeSeconds?: number | null;
            requestedNamespace?: string | null;
            resources: components["schemas"]["Resources"][];
            schedulingRules?: components["schemas"]["SchedulingRules"] | null;
            status: components["schemas"]["ProjectStatus"];
            totalResources: components["schemas"]["TotalResources"];
            /** Format: date-time */
            updatedAt: string;
            updatedBy?: string;
            /** @enum {string|null} */
            workAccess?: "team" | "guarded" | "private" | null;
        };
        ProjectChange: {
            /** Format: uuid */
            clusterId?: string | null;
            clusters?: string[] | null;
            defaultNodePools?: string[] | null;
            description?: string | null;
            name?: string | null;
            nodeTypes?: components["schemas"]["NodeTypes"] | null;
            parentId?: string | null;
            preemptMinRuntimeSeconds?: number | null;
            reclaimMinRuntimeSeconds?: number | null;
            requestedNamespace?: string | null;
            resources: components["schemas"]["Resources"][];
            schedulingRules?: components["schemas"]["SchedulingRules"] | null;
            /** @enum {string|null} */
            workAccess?: "team" | "guarded" | "private" | null;
        };
        ProjectDraft: {
            /** Format: uuid */
            clusterId: string;
            clusters?: string[] | null;
            defaultNodePools?: string[] | null;
            description?: string | null;
            /** Format: label */
            name: string;
            nodeTypes?: components["schemas"]["NodeTypes"] | null;
            parentId?: string | null;
            preemptMinRuntimeSeconds?: number | null;
            reclaimMinRuntimeSeconds?: number | null;
            requestedNamespace?: string | null;
            resources: components["schemas"]["Resources"][];
            schedulingRules?: components["schemas"]["SchedulingRules"] | null;
            /** @enum {string|null} */
            workAccess?: "team" | "guarded" | "private" | null;
        };
        ProjectList: {
            next?: number;
            projects: components["schemas"]["Project"][];
        };
        ProjectStatus: {
            /** Format: date-time */
            lastUpdatedTime?: string | null;
            namespace?: string | null;
            nodePoolQuotaStatuses?: components["schemas"]["PoolQuotaStatus"][];
            /** @enum {string} */
            phase?: "Creating" | "Updating" | "Deleting" | "Deleted" | "Initializing" | "Ready" | "NotReady" | "Unknown";
            phaseMessage?: string | null;
            quotaStatus?: components["schemas"]["QuotaStatus"];
        };
        PvcDraft: {
            meta: components["schemas"]["AssetMetaDraft"];
            spec: components["schemas"]["PvcSpec"];
        };
        PvcSpec: {
            claimInfo?: components["schemas"]["ClaimInfo"] | null;
            claimName?: string | null;
            ephemeral?: boolean | null;
            existingPvc?: boolean | null;
            path?: string | null;
            readOnly?: boolean | null;
        };
        PvcUpdate: {
            meta: components["schemas"]["AssetMetaUpdate"];
            spec?: components["schemas"]["PvcSpec"] | null;
        };
        Queue: {
            queue: components["schemas"]["QueueLine"][];
        };
        QueueLine: {
            /** Format: date-time */
            earliest?: string | null;
            gpu: number;
            /** Format: date-time */
            latest?: string | null;
            name: string;
            position: number;
            projectName: string;
            reason: string;
            terms?: components["schemas"]["QueueTerms"] | null;
            userName: string;
            /** Format: uuid */
            workloadId: string;
        };
        QueueTerms: {
            department?: components["schemas"]["UnitTerms"] | null;
            nthGpu?: number | null;
            /** @enum {string} */
            policy: "FairShare" | "NthGpu" | "DecayedShare" | "Fifo";
            pool: string;
            priority: number;
            priorityClass: string;
            project?: components["schemas"]["UnitTerms"] | null;
            /** Format: date-time */
            submittedAt: string;
            wants: number;
        };
        QuotaAmounts: {
            cpu?: number;
            gpu?: number;
            memory?: number;
        };
        QuotaStatus: {
            allocated?: components["schemas"]["QuotaAmounts"];
            allocatedNonPreemptible?: components["schemas"]["QuotaAmounts"];
            requested?: components["schemas"]["QuotaAmounts"];
        };
        RegistryDraft: {
            meta: components["schemas"]["AssetMetaDraft"];
            spec: components["schemas"]["RegistrySpec"];
        };
        RegistrySpec: {
            /** @enum {string} */
            credentialKind: "password";
            password: string;
            url: string;
            user: string;
        };
        RegistryUpdate: {
            meta: components["schemas"]["AssetMetaUpdate"];
            spec?: components["schemas"]["RegistryUpdateSpec"] | null;
        };
        RegistryUpdateSpec: {
            /** @enum {string|null} */
            credentialKind?: "password" | null;
            password?: string | null;
            url?: string | null;
            user?: string | null;
        };
        Report: {
            authorName: string;
            /** Format: date-time */
            createdAt: string;
            editorName: string;
            id: string;
            projectId: number;
            projectName: string;
            revision: number;
            text: string;
            title: string;
            /** Format: date-time */
            updatedAt: string;
        };
        ReportChange: {
            revision?: number;
            text: string;
            title: string;
        };
        ReportDraft: {
            projectId: number;
            text?: string;
            title: string;
        };
        ReportEntry: {
            authorName: string;
            /** Format: date-time */
            createdAt: string;
            editorName: string;
            id: string;
            projectId: number;
            projectName: string;
            revision: number;
            title: string;
            /** Format: date-time */
            updatedAt: string;
        };
        ReportList: {
            next?: number;
            reports: components["schemas"]["ReportEntry"][];
        };
        RequestedBytes: {
            limit?: string | null;
            request?: string | null;
        };
        RequestedCores: {
            limit?: number | null;
            request?: number | null;
        };
        RequestedPods: {
            completions?: number | null;
            max?: number | null;
            min?: number | null;
            number?: number | null;
            parallelism?: number | null;
        };
        RequestedResources: {
            cpu?: components["schemas"]["RequestedCores"] | null;
            cpuMemory?: components["schemas"]["RequestedBytes"] | null;
            gpu?: components["schemas"]["RequestedCores"] | null;
            gpuMemory?: components["schemas"]["RequestedBytes"] | null;
            /** @enum {string|null} */
            gpuRequestType?: "portion" | "memory" | "migProfile" | null;
        };
        Reservation: {
            /** Format: uuid */
            clusterId: string;
            /** Format: date-time */
            createdAt: string;
            createdBy: string;
            /** Format: date-time */
            end: string;
            gpu: number;
            /** Format: uuid */
            id: string;
            /** Format: label */
            name: string;
            nodePool?: string | null;
            projectId: string;
            projectName: string;
            releaseAfterMinutes?: number | null;
            /** Format: date-time */
            start: string;
            /** @enum {string} */
            state: "upcoming" | "active" | "ended";
            /** Format: date-time */
            updatedAt: string;
            updatedBy: string;
        };
        ReservationChange: {
            /** Format: date-time */
            end: string;
            gpu: number;
            nodePool?: string | null;
            releaseAfterMinutes?: number | null;
            /** Format: date-time */
            start: string;
        };
        ReservationDraft: {
            /** Format: date-time */
            end: string;
            gpu: number;
            /** Format: label */
            name: string;
            nodePool?: string | null;
            projectId: string;
            releaseAfterMinutes?: number | null;
            /** Format: date-time */
            start: string;
        };
        ReservationList: {
            next?: number;
            reservations: components["schemas"]["Reservation"][];
        };
        Resources: {
            cpu?: components["schemas"]["Share"] | null;
            gpu: components["schemas"]["GpuShare"];
            memory?: components["schemas"]["MemoryShare"] | null;
            nodePool?: components["schemas"]["NodePoolRef"] | null;
            priority?: string | null;
        };
        Role: {
            /** Format: date-time */
            createdAt: string;
            createdBy: string;
            /** Format: date-time */
            deletedAt?: string | null;
            description: string;
            id: number;
            name: string;
            permissions: components["schemas"]["Permission"][];
            predefined?: boolean;
            tenantId?: number;
            /** Format: date-time */
            updatedAt: string;
        };
        RoleDraft: {
            description?: string | null;
            name: string;
            permissions: components["schemas"]["PermissionDraft"][];
        };
        Run: {
            /** Format: date-time */
            endedAt?: string;
            experimentId: string;
            experimentName: string;
            id: string;
            /** @enum {string} */
            lifecycle: "active" | "deleted";
            metricCount: number;
            metrics: components["schemas"]["RunMetric"][];
            name: string;
            params: {
                [key: string]: string;
            };
            projectId: number;
            projectName: string;
            /** Format: date-time */
            startedAt: string;
            /** @enum {string} */
            status: "RUNNING" | "SCHEDULED" | "FINISHED" | "FAILED" | "KILLED";
            tags: {
                [key: string]: string;
            };
            userName: string;
            /** Format: uuid */
            workloadId?: string;
        };
        RunBatch: {
            offset?: number;
            records: components["schemas"]["RunRecord"][];
        };
        RunBatchTaken: {
            points: number;
            records: number;
        };
        RunCharts: {
            series: components["schemas"]["RunSeries"][];
        };
        RunChartWish: {
            /** @enum {string} */
            axis?: "step" | "time";
            from?: number;
            metrics: string[];
            pixels?: number;
            runs: string[];
            to?: number;
        };
        RunDraft: {
            experiment?: string;
            name?: string;
            params?: {
                [key: string]: string;
            };
            projectId: number;
            tags?: {
                [key: string]: string;
            };
            /** Format: uuid */
            workloadId?: string;
        };
        RunFile: {
            bytes: number;
            folder: boolean;
            name: string;
        };
        RunFileList: {
            files: components["schemas"]["RunFile"][];
        };
        RunList: {
            next?: number;
            runs: components["schemas"]["Run"][];
        };
        RunMetric: {
            name: string;
            step: number;
            /** Format: date-time */
            time: string;
            value: unknown;
        };
        RunningLine: {
            globalOrdinal: number;
            gpu: number;
            held: number;
            name: string;
            projectName: string;
            /** Format: date-time */
            startedAt?: string | null;
            userName: string;
            userOrdinal: number;
            /** Format: uuid */
            workloadId: string;
        };
        RunningOrder: {
            running: components["schemas"]["RunningLine"][];
        };
        RunRecord: {
            branch?: string | null;
            caption?: string | null;
            command?: unknown;
            commit?: string | null;
            exit_code?: number;
            file?: string;
            files?: unknown;
            group?: string | null;
            id?: string;
            job_type?: string | null;
            /** @enum {string} */
            kind: "start" | "config" | "metrics" | "summary" | "text" | "media" | "artifact" | "alert" | "finish";
            level?: string;
            metadata?: unknown;
            name?: string | null;
            notes?: string | null;
            path?: string;
            project?: string | null;
            python?: string | null;
            repository?: string | null;
            size?: number;
            step?: number;
            tags?: unknown;
            text?: string;
            time: number;
            title?: string;
            type?: string;
            values?: Record<string, never>;
            workload?: string | null;
        };
        RunSeries: {
            metric: string;
            points: number;
            runId: string;
            steps: number[];
            times: number[];
            values: unknown[];
        };
        RunTags: {
            ids: string[];
            remove?: string[];
            set?: {
                [key: string]: string;
            };
        };
        RunUpload: {
            arrived: number[];
            uploadId: string;
        };
        RunUploadDraft: {
            mark: string;
            parts: number;
            path: string;
        };
        RunView: {
            authorName: string;
            /** Format: date-time */
            createdAt: string;
            id: string;
            name: string;
            /** @enum {string} */
            page: "runs" | "compare";
            projectId: number;
            projectName: string;
            query: string;
        };
        RunViewDraft: {
            name: string;
            /** @enum {string} */
            page: "runs" | "compare";
            projectId: number;
            query: string;
        };
        RunViewList: {
            views: components["schemas"]["RunView"][];
        };
        S3Draft: {
            meta: components["schemas"]["AssetMetaDraft"];
            spec: components["schemas"]["S3Spec"];
        };
        S3Spec: {
            /** Format: uuid */
            accessKeyAssetId?: string | null;
            bucket?: string | null;
            path?: string | null;
            url?: string | null;
        };
        S3Update: {
            meta: components["schemas"]["AssetMetaUpdate"];
            spec: components["schemas"]["S3Spec"];
        };
        SavedOutput: {
            /** Format: date-time */
            at: string;
            attempt: number;
            bytes: number;
            files: number;
            name: string;
            problem?: string;
            tag: string;
            version?: string;
        };
        SchedulingRules: {
            interactiveJobMaxIdleDurationSeconds?: number | null;
            interactiveJobPreemptIdleDurationSeconds?: number | null;
            interactiveJobTimeLimitSeconds?: number | null;
            trainingJobMaxIdleDurationSeconds?: number | null;
            trainingJobTimeLimitSeconds?: number | null;
        };
        Secret: {
            secret: string;
        };
        SecretDraft: {
            meta: components["schemas"]["AssetMetaDraft"];
            spec: components["schemas"]["SecretSpec"];
        };
        SecretSpec: {
            /** Format: uuid */
            credentialAssetId?: string | null;
            mountPath?: string | null;
        };
        SecretUpdate: {
            meta: components["schemas"]["AssetMetaUpdate"];
            spec?: components["schemas"]["SecretSpec"] | null;
        };
        ServingPortInfo: {
            /** @enum {string|null} */
            protocol?: "grpc" | "http" | null;
        };
        Setting: {
            active?: boolean;
            category?: string;
            key?: string;
            label?: string;
            type?: string;
            value?: string;
        };
        SettingChange: {
            key: string;
            value: unknown;
        };
        SettingReply: {
            msg?: string;
        };
        Share: {
            deserved?: number | null;
            limit?: number | null;
            overQuotaWeight?: number | null;
        };
        SignInNote: {
            note: string;
        };
        SingleSignOn: {
            enabled: boolean;
            loginUrl?: string;
            logoutUrl?: string;
            name?: string;
        };
        Site: {
            gpuHourPrice?: components["schemas"]["Price"] | null;
            messageOfTheDay: string;
        };
        SpecAccessModes: {
            readOnlyMany?: boolean | null;
            readWriteMany?: boolean | null;
            readWriteOnce?: boolean | null;
        };
        SpecAnnotation: {
            exclude?: boolean | null;
            name?: string | null;
            value?: string | null;
        };
        SpecArray: {
            id: string;
            index: number;
            size?: number | null;
            throttle?: number | null;
        };
        SpecAssets: {
            applied?: boolean | null;
            compute?: string | null;
            datasources?: components["schemas"]["SpecAssetSource"][] | null;
            environment?: string | null;
            /** Format: uuid */
            environmentId?: string | null;
            template?: string | null;
        };
        SpecAssetSource: {
            containerPath?: string | null;
            /** Format: uuid */
            id?: string | null;
            name?: string | null;
            type?: string | null;
        };
        SpecAutoscaling: {
            activationReplicas?: number | null;
            concurrencyHardLimit?: number | null;
            initializationTimeoutSeconds?: number | null;
            initialReplicas?: number | null;
            maxReplicas?: number | null;
            metric?: string | null;
            metricThreshold?: number | null;
            metricThresholdPercentage?: number | null;
            minReplicas?: number | null;
            scaleDownDelaySeconds?: number | null;
            scaleToZeroRetentionSeconds?: number | null;
        };
        SpecBase: {
            annotations?: components["schemas"]["SpecAnnotation"][] | null;
            args?: unknown;
            assets?: components["schemas"]["SpecAssets"] | null;
            category?: string | null;
            command?: unknown;
            compute?: components["schemas"]["SpecCompute"] | null;
            createHomeDir?: boolean | null;
            environmentVariables?: components["schemas"]["SpecVariable"][] | null;
            excludeNodes?: string[] | null;
            exposedUrls?: components["schemas"]["SpecExposedUrl"][] | null;
            image?: string | null;
            /** @enum {string|null} */
            imagePullPolicy?: "Always" | "Never" | "IfNotPresent" | null;
            imagePullSecrets?: Record<string, never>[] | null;
            labels?: components["schemas"]["SpecLabel"][] | null;
            nodeAffinityRequired?: Record<string, never> | null;
            nodePools?: string[] | null;
            nodes?: string[] | null;
            nodeType?: string | null;
            podAffinity?: components["schemas"]["SpecPodAffinity"] | null;
            ports?: components["schemas"]["SpecPort"][] | null;
            /** @enum {string|null} */
            preemptibility?: "preemptible" | "non-preemptible" | null;
            priorityClass?: string | null;
            probes?: components["schemas"]["SpecProbes"] | null;
            relatedUrls?: components["schemas"]["SpecRelatedUrl"][] | null;
            security?: components["schemas"]["SpecSecurity"] | null;
            storage?: components["schemas"]["SpecStorage"] | null;
            tolerations?: components["schemas"]["SpecToleration"][] | null;
            topology?: Record<string, never> | null;
            workingDir?: string | null;
        };
        SpecClaim: {
            accessModes?: components["schemas"]["SpecAccessModes"] | null;
            /** Format: quantity */
            size?: string | null;
            storageClass?: string | null;
            /** @enum {string|null} */
            volumeMode?: "Filesystem" | "Block" | null;
        };
        SpecCompute: {
            cpuCoreLimit?: number | null;
            cpuCoreRequest?: number | null;
            /** Format: quantity */
            cpuMemoryLimit?: string | null;
            /** Format: quantity */
            cpuMemoryRequest?: string | null;
            extendedResources?: components["schemas"]["SpecExtendedResource"][] | null;
            /** @enum {string|null} */
            gpuCompute?: "none" | "fair" | "strict" | "interactive" | null;
            gpuDevicesRequest?: number | null;
            /** Format: quantity */
            gpuMemoryLimit?: string | null;
            /** Format: quantity */
            gpuMemoryRequest?: string | null;
            gpuPortionLimit?: number | null;
            gpuPortionRequest?: number | null;
            /** @enum {string|null} */
            gpuRequestType?: "portion" | "memory" | "migProfile" | null;
            largeShmRequest?: boolean | null;
            migProfile?: string | null;
        };
        SpecConfigMap: {
            configMap?: string | null;
            defaultMode?: string | null;
            exclude?: boolean | null;
            mountPath?: string | null;
            name?: string | null;
            subPath?: string | null;
        };
        SpecConfigMapKey: {
            key?: string | null;
            name?: string | null;
        };
        SpecContainer: {
            args?: unknown;
            command?: unknown;
            createHomeDir?: boolean | null;
            environmentVariables?: components["schemas"]["SpecVariable"][] | null;
            image?: string | null;
            /** @enum {string|null} */
            imagePullPolicy?: "Always" | "Never" | "IfNotPresent" | null;
            imagePullSecrets?: Record<string, never>[] | null;
            probes?: components["schemas"]["SpecProbes"] | null;
            workingDir?: string | null;
        };
        SpecDataSet: {
            exclude?: boolean | null;
            mountPath?: string | null;
            name: string;
            tag?: string | null;
            version?: string | null;
        };
        SpecDataVolume: {
            /** Format: uuid */
            id?: string | null;
            mountPath?: string | null;
            name?: string | null;
        };
        SpecDependency: {
            /** @enum {string|null} */
            condition?: "ok" | "any" | "fail" | null;
            workload: string;
        };
        SpecEmptyDir: {
            exclude?: boolean | null;
            medium?: string | null;
            name?: string | null;
            path?: string | null;
            /** Format: quantity */
            sizeLimit?: string | null;
        };
        SpecExposedUrl: {
            /** @enum {string|null} */
            authorizationType?: "public" | "authenticatedUsers" | "authorizedUsersOrGroups" | null;
            authorizedGroups?: string[] | null;
            authorizedUsers?: string[] | null;
            container?: number | null;
            exclude?: boolean | null;
            name?: string | null;
            toolName?: string | null;
            toolType?: string | null;
            url?: string | null;
        };
        SpecExtendedResource: {
            exclude?: boolean | null;
            quantity?: string | null;
            resource?: string | null;
        };
        SpecGit: {
            branch?: string | null;
            exclude?: boolean | null;
            name?: string | null;
            passwordSecret?: string | null;
            path?: string | null;
            repository?: string | null;
            revision?: string | null;
            secretKeyOfPassword?: string | null;
            secretKeyOfUser?: string | null;
        };
        SpecHostPath: {
            exclude?: boolean | null;
            mountPath?: string | null;
            /** @enum {string|null} */
            mountPropagation?: "None" | "HostToContainer" | null;
            name?: string | null;
            path?: string | null;
            readOnly?: boolean | null;
        };
        SpecHttpGet: {
            host?: string | null;
            path?: string | null;
            port?: number | null;
            /** @enum {string|null} */
            scheme?: "HTTP" | "HTTPS" | null;
        };
        SpecLabel: {
            exclude?: boolean | null;
            name?: string | null;
            value?: string | null;
        };
        SpecMaster: {
            annotations?: components["schemas"]["SpecAnnotation"][] | null;
            args?: unknown;
            array?: components["schemas"]["SpecArray"] | null;
            assets?: components["schemas"]["SpecAssets"] | null;
            autoDeletionTimeAfterCompletionSeconds?: number | null;
            backoffLimit?: number | null;
            /** Format: date-time */
            beginAt?: string | null;
            category?: string | null;
            command?: unknown;
            compute?: components["schemas"]["SpecCompute"] | null;
            createHomeDir?: boolean | null;
            dependsOn?: components["schemas"]["SpecDependency"][] | null;
            environmentVariables?: components["schemas"]["SpecVariable"][] | null;
            excludeNodes?: string[] | null;
            exposedUrls?: components["schemas"]["SpecExposedUrl"][] | null;
            hold?: boolean | null;
            image?: string | null;
            /** @enum {string|null} */
            imagePullPolicy?: "Always" | "Never" | "IfNotPresent" | null;
            imagePullSecrets?: Record<string, never>[] | null;
            labels?: components["schemas"]["SpecLabel"][] | null;
            /** Format: quantity */
            logLimit?: string | null;
            nodeAffinityRequired?: Record<string, never> | null;
            nodePools?: string[] | null;
            nodes?: string[] | null;
            nodeType?: string | null;
            podAffinity?: components["schemas"]["SpecPodAffinity"] | null;
            ports?: components["schemas"]["SpecPort"][] | null;
            /** @enum {string|null} */
            preemptibility?: "preemptible" | "non-preemptible" | null;
            preemptSignal?: string | null;
            priorityClass?: string | null;
            probes?: components["schemas"]["SpecProbes"] | null;
            relatedUrls?: components["schemas"]["SpecRelatedUrl"][] | null;
            /** @enum {string|null} */
            restartPolicy?: "Always" | "OnFailure" | "Never" | null;
            retry?: components["schemas"]["SpecRetry"] | null;
            security?: components["schemas"]["SpecSecurity"] | null;
            signalBeforeEnd?: components["schemas"]["SpecWarning"] | null;
            stdin?: boolean | null;
            steps?: components["schemas"]["SpecStep"][] | null;
            /** Format: date-time */
            stopAt?: string | null;
            storage?: components["schemas"]["SpecStorage"] | null;
            terminateAfterPreemption?: boolean | null;
            terminationGracePeriodSeconds?: number | null;
            timeLimitSeconds?: number | null;
            tolerations?: components["schemas"]["SpecToleration"][] | null;
            topology?: Record<string, never> | null;
            tty?: boolean | null;
            workingDir?: string | null;
        };
        SpecNamed: {
            exclude?: boolean | null;
            name?: string | null;
        };
        SpecNfs: {
            exclude?: boolean | null;
            mountPath?: string | null;
            name?: string | null;
            path?: string | null;
            readOnly?: boolean | null;
            server?: string | null;
        };
        SpecOutput: {
            exclude?: boolean | null;
            name: string;
            path?: string | null;
            tag?: string | null;
        };
        SpecPodAffinity: {
            key?: string | null;
            /** @enum {string|null} */
            type?: "Required" | "Preferred" | null;
        };
        SpecPort: {
            container?: number | null;
            exclude?: boolean | null;
            external?: number | null;
            name?: string | null;
            /** @enum {string|null} */
            serviceType?: "LoadBalancer" | "NodePort" | "ClusterIP" | null;
            toolName?: string | null;
            toolType?: string | null;
        };
        SpecProbe: {
            failureThreshold?: number | null;
            handler?: components["schemas"]["SpecProbeHandler"] | null;
            initialDelaySeconds?: number | null;
            periodSeconds?: number | null;
            successThreshold?: number | null;
            timeoutSeconds?: number | null;
        };
        SpecProbeHandler: {
            httpGet?: components["schemas"]["SpecHttpGet"] | null;
        };
        SpecProbes: {
            readiness?: components["schemas"]["SpecProbe"] | null;
        };
        SpecPvc: {
            claimInfo?: components["schemas"]["SpecClaim"] | null;
            claimName?: string | null;
            dataSharing?: boolean | null;
            ephemeral?: boolean | null;
            exclude?: boolean | null;
            existingPvc?: boolean | null;
            name?: string | null;
            path?: string | null;
            readOnly?: boolean | null;
        };
        SpecRelatedUrl: {
            exclude?: boolean | null;
            name?: string | null;
            type?: string | null;
            url?: string | null;
        };
        SpecRetry: {
            exitCodes?: number[] | null;
            limit: number;
            on?: ("Exit" | "Signal" | "OutOfMemory" | "LaunchFailed" | "TimeLimit" | "Idle" | "NodeLost")[] | null;
        };
        SpecRules: {
            array?: components["schemas"]["SpecArray"] | null;
            /** Format: date-time */
            beginAt?: string | null;
            dependsOn?: components["schemas"]["SpecDependency"][] | null;
            hold?: boolean | null;
            /** Format: quantity */
            logLimit?: string | null;
            preemptSignal?: string | null;
            retry?: components["schemas"]["SpecRetry"] | null;
            signalBeforeEnd?: components["schemas"]["SpecWarning"] | null;
            steps?: components["schemas"]["SpecStep"][] | null;
            /** Format: date-time */
            stopAt?: string | null;
            timeLimitSeconds?: number | null;
        };
        SpecS3: {
            accessKeySecret?: string | null;
            bucket?: string | null;
            exclude?: boolean | null;
            name?: string | null;
            path?: string | null;
            secretKeyOfAccessKeyId?: string | null;
            secretKeyOfSecretKey?: string | null;
            url?: string | null;
        };
        SpecSecretKey: {
            key?: string | null;
            name?: string | null;
        };
        SpecSecretVolume: {
            defaultMode?: string | null;
            exclude?: boolean | null;
            mountPath?: string | null;
            name?: string | null;
            secret?: string | null;
        };
        SpecSecurity: {
            allowPrivilegeEscalation?: boolean | null;
            capabilities?: string[] | null;
            hostIpc?: boolean | null;
            hostNetwork?: boolean | null;
            readOnlyRootFilesystem?: boolean | null;
            runAsGid?: number | null;
            runAsNonRoot?: boolean | null;
            runAsUid?: number | null;
            /** @enum {string|null} */
            seccompProfileType?: "RuntimeDefault" | "Unconfined" | "Localhost" | null;
            supplementalGroups?: string | null;
            /** @enum {string|null} */
            uidGidSource?: "fromTheImage" | "fromIdpToken" | "custom" | null;
        };
        SpecServingPort: {
            /** @enum {string|null} */
            authorizationType?: "public" | "authenticatedUsers" | "authorizedUsersOrGroups" | null;
            authorizedGroups?: string[] | null;
            authorizedUsers?: string[] | null;
            clusterLocalAccessOnly?: boolean | null;
            container?: number | null;
            exposedProtocol?: string | null;
            exposedUrl?: string | null;
            /** @enum {string|null} */
            protocol?: "http" | "grpc" | null;
        };
        SpecStep: {
            args?: string[] | null;
            command?: string[] | null;
            name?: string | null;
        };
        SpecStorage: {
            configMapVolume?: components["schemas"]["SpecConfigMap"][] | null;
            dataSets?: components["schemas"]["SpecDataSet"][] | null;
            dataVolume?: components["schemas"]["SpecDataVolume"][] | null;
            emptyDirVolume?: components["schemas"]["SpecEmptyDir"][] | null;
            git?: components["schemas"]["SpecGit"][] | null;
            hostPath?: components["schemas"]["SpecHostPath"][] | null;
            nfs?: components["schemas"]["SpecNfs"][] | null;
            outputs?: components["schemas"]["SpecOutput"][] | null;
            pvc?: components["schemas"]["SpecPvc"][] | null;
            s3?: components["schemas"]["SpecS3"][] | null;
            secretVolume?: components["schemas"]["SpecSecretVolume"][] | null;
        };
        SpecToleration: {
            /** @enum {string|null} */
            effect?: "NoSchedule" | "NoExecute" | "PreferNoSchedule" | "Any" | null;
            exclude?: boolean | null;
            key?: string | null;
            name?: string | null;
            /** @enum {string|null} */
            operator?: "Equal" | "Exists" | null;
            seconds?: number | null;
            value?: string | null;
        };
        SpecVariable: {
            configMap?: components["schemas"]["SpecConfigMapKey"] | null;
            credential?: Record<string, never> | null;
            description?: string | null;
            exclude?: boolean | null;
            name?: string | null;
            podFieldRef?: Record<string, never> | null;
            secret?: components["schemas"]["SpecSecretKey"] | null;
            value?: string | null;
        };
        SpecWarning: {
            seconds?: number | null;
            signal: string;
        };
        StorageClasses: {
            items: Record<string, never>[];
        };
        StoredRunFile: {
            bytes: number;
        };
        Study: {
            best?: components["schemas"]["StudyTrial"];
            budget: components["schemas"]["StudyBudget"];
            /** Format: date-time */
            createdAt: string;
            createdBy: string;
            /** Format: date-time */
            endedAt?: string;
            gpuHours: number;
            /** Format: uuid */
            id: string;
            message: string;
            name: string;
            projectId: string;
            seed: number;
            spec: components["schemas"]["StudySpec"];
            /** @enum {string} */
            state: "Running" | "Paused" | "Completed" | "Stopped";
            trials: components["schemas"]["StudyCounts"];
            /** Format: date-time */
            updatedAt: string;
        };
        StudyBest: {
            message: string;
            trials: components["schemas"]["StudyBestTrial"][];
        };
        StudyBestTrial: {
            continues?: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            endedAt?: string;
            gpuHours: number;
            high?: number;
            low?: number;
            mean?: number;
            message?: string;
            number: number;
            origin: string;
            parameters: Record<string, never>;
            repeatOf?: number;
            reports?: components["schemas"]["StudyReport"][];
            resumesFrom?: number;
            runs?: number;
            /** @enum {string} */
            state: "Running" | "Complete" | "Pruned" | "Failed";
            values?: number[];
            /** Format: uuid */
            workloadId?: string;
        };
        StudyBudget: {
            maxDurationSeconds?: number | null;
            maxGpuHours?: number | null;
            maxTrials?: number | null;
        };
        StudyColumn: {
            name: string;
            values: (number | null)[];
        };
        StudyColumns: {
            continues: (number | null)[];
            ended: (number | null)[];
            from: number;
            gpuHours: (number | null)[];
            lasts: (number | null)[];
            next?: number;
            parameters: components["schemas"]["StudyColumn"][];
            repeatOf: (number | null)[];
            resumesFrom: (number | null)[];
            started: number[];
            states: string;
            steps: (number | null)[];
            values: (number | null)[][];
        };
        StudyCondition: {
            parameter: string;
            values: unknown[];
        };
        StudyCounts: {
            complete: number;
            configurations: number;
            extra: number;
            failed: number;
            pruned: number;
            running: number;
        };
        StudyDerived: {
            expression: string;
            name: string;
        };
        StudyDraft: {
            /** Format: label */
            name: string;
            projectId: string;
            spec: components["schemas"]["StudySpec"];
        };
        StudyImportance: {
            importance: number;
            parameter: string;
        };
        StudyImportances: {
            importances: components["schemas"]["StudyImportance"][];
        };
        StudyJournalAppend: {
            entries: string[];
            id: string;
        };
        StudyJournalPage: {
            entries: string[];
            next: number;
            total: number;
        };
        StudyList: {
            next?: number;
            studies: components["schemas"]["Study"][];
        };
        StudyObjective: {
            /** @enum {string|null} */
            direction?: "minimize" | "maximize" | null;
            metric: string;
            /** @enum {string|null} */
            result?: "last" | "best" | null;
        };
        StudyParameter: {
            choices?: unknown[] | null;
            high?: number | null;
            log?: boolean | null;
            low?: number | null;
            name: string;
            step?: number | null;
            /** @enum {string|null} */
            type?: "float" | "int" | "categorical" | "ordinal" | "constant" | null;
            value?: unknown;
            when?: components["schemas"]["StudyCondition"] | null;
        };
        StudyPruner: {
            factor?: number | null;
            intervalSteps?: number | null;
            lower?: number | null;
            maxSteps?: number | null;
            minDelta?: number | null;
            minSteps?: number | null;
            parameters?: string[] | null;
            patience?: number | null;
            percentile?: number | null;
            promote?: boolean | null;
            pThreshold?: number | null;
            quantile?: number | null;
            reduction?: number | null;
            resample?: number | null;
            startupTrials?: number | null;
            /** @enum {string} */
            type: "none" | "median" | "percentile" | "asha" | "hyperband" | "patient" | "threshold" | "wilcoxon" | "pbt";
            upper?: number | null;
            warmupSteps?: number | null;
        };
        StudyReport: {
            step: number;
            value: number | null;
        };
        StudyReportDraft: {
            step?: number | null;
            value?: unknown;
            values?: Record<string, never> | null;
        };
        StudySpec: {
            checkpoints?: string | null;
            concurrency?: number | null;
            constraints?: string[] | null;
            derived?: components["schemas"]["StudyDerived"][] | null;
            maxDurationSeconds?: number | null;
            maxFailures?: number | null;
            maxGpuHours?: number | null;
            maxTrials?: number | null;
            objectives: components["schemas"]["StudyObjective"][];
            parameters: components["schemas"]["StudyParameter"][];
            pattern?: string | null;
            pruner?: components["schemas"]["StudyPruner"] | null;
            repeats?: number | null;
            /** @enum {string|null} */
            sampler?: "auto" | "random" | "grid" | "sobol" | "tpe" | "tpe-univariate" | "gp" | "cma-es" | "nsga2" | "nsga3" | null;
            seed?: number | null;
            startFrom?: string | null;
            workload?: components["schemas"]["TrainingSpec"] | null;
        };
        StudySuggestion: {
            origin: string;
            parameters: Record<string, never>;
        };
        StudyTell: {
            reason?: string | null;
            /** @enum {string|null} */
            state?: "Complete" | "Pruned" | "Failed" | null;
            values?: unknown[] | null;
        };
        StudyTrial: {
            continues?: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            endedAt?: string;
            gpuHours: number;
            message?: string;
            number: number;
            origin: string;
            parameters: Record<string, never>;
            repeatOf?: number;
            reports?: components["schemas"]["StudyReport"][];
            resumesFrom?: number;
            /** @enum {string} */
            state: "Running" | "Complete" | "Pruned" | "Failed";
            values?: number[];
            /** Format: uuid */
            workloadId?: string;
        };
        StudyTrialDraft: {
            parameters?: Record<string, never> | null;
            values?: number[] | null;
        };
        StudyTrialPage: {
            next?: number;
            trials: components["schemas"]["StudyTrial"][];
        };
        StudyVerdict: {
            reason: string;
            stop: boolean;
        };
        SuggestedResources: {
            cpu?: number | null;
            gpu?: number | null;
            memory?: string | null;
        };
        SupportedWorkloads: {
            /** @enum {string|null} */
            distFramework?: "MPI" | "PyTorch" | "TF" | "XGBoost" | null;
            distributed?: boolean | null;
            inference?: boolean | null;
            training?: boolean | null;
            workspace?: boolean | null;
        };
        Telemetry: {
            /** Format: date-time */
            timestamp: string;
            type: string;
            values: components["schemas"]["TelemetryNumber"][];
        };
        TelemetryGroup: {
            key: string;
            name?: string;
            value: string;
        };
        TelemetryKey: {
            key: string;
            name?: string;
            value: string;
        };
        TelemetryNumber: {
            groups?: components["schemas"]["TelemetryKey"][];
            value: string;
        };
        TelemetryValue: {
            groups?: components["schemas"]["TelemetryGroup"][];
            value: string;
        };
        TemplateAssets: {
            /** Format: uuid */
            compute?: string | null;
            datasources?: components["schemas"]["TemplateDataSource"][] | null;
            /** Format: uuid */
            environment: string;
            workloadVolumes?: string[] | null;
        };
        TemplateDataSource: {
            /** Format: uuid */
            id: string;
            kind: string;
            overrides?: components["schemas"]["DataSourceOverrides"] | null;
        };
        TemplateDraft: {
            meta: components["schemas"]["AssetMetaDraft"];
            spec: components["schemas"]["TemplateSpec"];
        };
        TemplateEnv: {
            allowOverQuota?: boolean | null;
            annotations?: Record<string, never>[] | null;
            args?: string | null;
            autoDeletionTimeAfterCompletionSeconds?: number | null;
            autoScaling?: Record<string, never> | null;
            backoffLimit?: number | null;
            command?: string | null;
            completions?: number | null;
            connections?: Record<string, never>[] | null;
            environmentVariables?: components["schemas"]["AssetVariable"][] | null;
            labels?: Record<string, never>[] | null;
            nodePools?: string[] | null;
            nodeType?: string | null;
            parallelism?: number | null;
            podAffinity?: Record<string, never> | null;
            runAsGid?: number | null;
            runAsUid?: number | null;
            servingPortAccess?: Record<string, never> | null;
            supplementalGroups?: string | null;
            terminateAfterPreemption?: boolean | null;
            terminationGracePeriodSeconds?: number | null;
            tolerations?: Record<string, never>[] | null;
        };
        TemplateSpec: {
            assets: components["schemas"]["TemplateAssets"];
            specificEnv?: components["schemas"]["TemplateEnv"] | null;
        };
        TemplateUpdate: {
            meta: components["schemas"]["AssetMetaUpdate"];
            spec: components["schemas"]["TemplateSpec"];
        };
        TempPassword: {
            tempPassword: string;
        };
        Timeline: {
            attempts: components["schemas"]["TimelineAttempt"][];
            leftOut: number;
            others: components["schemas"]["TimelineOther"][];
        };
        TimelineAbsence: {
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to?: string | null;
        };
        TimelineAttempt: {
            absences: components["schemas"]["TimelineAbsence"][];
            cause?: string | null;
            /** Format: date-time */
            endedAt?: string | null;
            /** Format: date-time */
            endsBy?: string | null;
            holds: components["schemas"]["GpuHold"][];
            name: string;
            number: number;
            /** Format: date-time */
            placedAt: string;
            projectName: string;
            /** Format: date-time */
            startedAt?: string | null;
            userName: string;
            /** Format: uuid */
            workloadId: string;
        };
        TimelineOther: {
            absences: components["schemas"]["TimelineAbsence"][];
            /** Format: date-time */
            endedAt?: string | null;
            holds: components["schemas"]["GpuHold"][];
            /** Format: date-time */
            placedAt: string;
        };
        TokenRequest: {
            appID?: string | null;
            appSecret?: string | null;
            clientID?: string | null;
            clientSecret?: string | null;
            /** @enum {string} */
            grantType: "app_token" | "client_credentials" | "refresh_token" | "password";
            password?: string | null;
            refreshToken?: string | null;
            username?: string | null;
        };
        TokenResponse: {
            accessToken: string;
            externalToken?: string;
            idToken?: string;
            refreshToken?: string;
        };
        ToolLink: {
            url: string;
        };
        ToolLinkRequest: {
            path: string;
        };
        TotalResources: {
            cpuQuota?: number | null;
            gpuQuota?: number | null;
            memoryQuota?: number | null;
        };
        Training: {
            actualPhase?: string;
            /** Format: uuid */
            clusterId: string;
            /** Format: date-time */
            createdAt: string;
            createdBy: string;
            departmentId?: string;
            /** @enum {string} */
            desiredPhase: "Running" | "Stopped" | "Deleted";
            name: string;
            projectId: string;
            requestedName: string;
            spec: components["schemas"]["TrainingSpec"];
            /** Format: uuid */
            workloadId: string;
        };
        TrainingDraft: {
            /** Format: uuid */
            clusterId: string;
            /** Format: label */
            name: string;
            numberNameIfTaken?: boolean | null;
            projectId: string;
            spec?: components["schemas"]["TrainingSpec"] | null;
            useGivenNameAsPrefix?: boolean | null;
        };
        TrainingSpec: {
            annotations?: components["schemas"]["SpecAnnotation"][] | null;
            args?: unknown;
            array?: components["schemas"]["SpecArray"] | null;
            assets?: components["schemas"]["SpecAssets"] | null;
            autoDeletionTimeAfterCompletionSeconds?: number | null;
            backoffLimit?: number | null;
            /** Format: date-time */
            beginAt?: string | null;
            category?: string | null;
            command?: unknown;
            completions?: number | null;
            compute?: components["schemas"]["SpecCompute"] | null;
            createHomeDir?: boolean | null;
            dependsOn?: components["schemas"]["SpecDependency"][] | null;
            environmentVariables?: components["schemas"]["SpecVariable"][] | null;
            excludeNodes?: string[] | null;
            exposedUrls?: components["schemas"]["SpecExposedUrl"][] | null;
            hold?: boolean | null;
            image?: string | null;
            /** @enum {string|null} */
            imagePullPolicy?: "Always" | "Never" | "IfNotPresent" | null;
            imagePullSecrets?: Record<string, never>[] | null;
            labels?: components["schemas"]["SpecLabel"][] | null;
            /** Format: quantity */
            logLimit?: string | null;
            nodeAffinityRequired?: Record<string, never> | null;
            nodePools?: string[] | null;
            nodes?: string[] | null;
            nodeType?: string | null;
            parallelism?: number | null;
            podAffinity?: components["schemas"]["SpecPodAffinity"] | null;
            ports?: components["schemas"]["SpecPort"][] | null;
            /** @enum {string|null} */
            preemptibility?: "preemptible" | "non-preemptible" | null;
            preemptSignal?: string | null;
            priorityClass?: string | null;
            probes?: components["schemas"]["SpecProbes"] | null;
            relatedUrls?: components["schemas"]["SpecRelatedUrl"][] | null;
            /** @enum {string|null} */
            restartPolicy?: "Always" | "OnFailure" | "Never" | null;
            retry?: components["schemas"]["SpecRetry"] | null;
            security?: components["schemas"]["SpecSecurity"] | null;
            signalBeforeEnd?: components["schemas"]["SpecWarning"] | null;
            stdin?: boolean | null;
            steps?: components["schemas"]["SpecStep"][] | null;
            /** Format: date-time */
            stopAt?: string | null;
            storage?: components["schemas"]["SpecStorage"] | null;
            terminateAfterPreemption?: boolean | null;
            terminationGracePeriodSeconds?: number | null;
            timeLimitSeconds?: number | null;
            tolerations?: components["schemas"]["SpecToleration"][] | null;
            topology?: Record<string, never> | null;
            tty?: boolean | null;
            workingDir?: string | null;
        };
        UnitTerms: {
            ahead: number;
            held: number;
            priority: number;
            quota?: number | null;
            share: number;
        };
        UsageReport: {
            by: string;
            /** Format: date-time */
            end: string;
            rows: components["schemas"]["UsageReportRow"][];
            /** Format: date-time */
            start: string;
            total: components["schemas"]["UsageReportRow"];
        };
        UsageReportRow: {
            attempts: number;
            cpuHours: number;
            gpuHours: components["schemas"]["GpuHours"];
            gpuTime: components["schemas"]["GpuTime"];
            hours: number;
            name: string;
            workloads: number;
        };
        UsageSeries: {
            /** Format: date-time */
            end: string;
            /** Format: date-time */
            start: string;
            steps: components["schemas"]["UsageStep"][];
        };
        UsageStep: {
            busyPercent?: number | null;
            /** Format: date-time */
            end: string;
            gpusHeld: number;
            gpusUsed?: number | null;
            longestWaitSeconds?: number | null;
            /** Format: date-time */
            start: string;
            started: number;
            waitedSeconds?: number | null;
        };
        UsedResources: {
            cpuSeconds?: number | null;
            gpuHoursHeld?: number;
            gpuHoursIdle?: number | null;
            gpuHoursUsed?: number | null;
            gpuMemory?: string | null;
            gpuPercent?: number | null;
            memory?: string | null;
            memoryPeak?: string | null;
            processes?: number | null;
            readBytes?: number | null;
            writeBytes?: number | null;
        };
        User: {
            /** Format: date-time */
            createdAt: string | null;
            createdBy: string;
            groups?: string[] | null;
            id: string;
            isLocal: boolean | null;
            /** Format: date-time */
            lastLogin: string | null;
            unixName?: string;
            /** Format: date-time */
            updatedAt: string | null;
            username: string;
        };
        UserCreated: {
            id: string;
            tempPassword: string;
            username: string;
        };
        UserDraft: {
            /** Format: email */
            email: string;
            groups?: string[] | null;
            resetPassword?: boolean | null;
            unixName?: string | null;
        };
        UserEdit: {
            groups?: string[] | null;
            unixName?: string | null;
        };
        UsersToken: {
            /** Format: date-time */
            createdAt: string;
            createdBy: string;
            /** Format: date-time */
            expiresAt: string;
            /** Format: uuid */
            id: string;
            name: string;
        };
        VariableCredential: {
            /** Format: uuid */
            assetId?: string | null;
            key?: string | null;
        };
        Version: {
            contract: string;
            product: string;
            version: string;
        };
        WaitCause: {
            message: string;
            nodePool?: string | null;
            /** @enum {string|null} */
            orgType?: "PROJECT" | "DEPARTMENT" | null;
            reason: string;
        };
        Why: {
            ahead: string[];
            alternatives: components["schemas"]["Alternative"][];
            basis: string;
            /** Format: date-time */
            earliest?: string | null;
            further: string[];
            holders: components["schemas"]["WorkHolds"][];
            /** Format: date-time */
            latest?: string | null;
            message: string;
            never: boolean;
            nodes: components["schemas"]["NodeLack"][];
            noForecast: string;
            position?: number | null;
            reason: string;
            reasons: components["schemas"]["WaitCause"][];
            startsOn?: string[];
        };
        WorkHolds: {
            amount: string;
            project?: string | null;
            user?: string | null;
            workload?: string | null;
        };
        Workload: {
            actionsSupport?: components["schemas"]["WorkloadActions"];
            allocatedResources?: components["schemas"]["AllocatedResources"] | null;
            arguments?: string;
            array?: components["schemas"]["SpecArray"] | null;
            /** Format: date-time */
            beginAt?: string | null;
            /** Format: uuid */
            clusterId: string;
            clusterName?: string;
            command?: string;
            /** Format: date-time */
            completedAt?: string | null;
            conditions: components["schemas"]["WorkloadCondition"][];
            /** Format: date-time */
            createdAt: string;
            currentNodePools?: string[];
            datasources?: components["schemas"]["WorkloadSource"][];
            /** Format: date-time */
            deletedAt?: string | null;
            departmentId: string;
            departmentName: string;
            distributedFramework?: string;
            environments?: components["schemas"]["AssetName"][];
            environmentVariables?: {
                [key: string]: string;
            };
            externalConnections?: components["schemas"]["WorkloadConnection"][];
            /** Format: uuid */
            id: string;
            idleAllocatedGpus?: number | null;
            idleGpus?: number | null;
            images?: string[];
            k8sPhase: string;
            /** Format: date-time */
            k8sPhaseUpdatedAt: string;
            name: string;
            namespace: string;
            nodes?: string[];
            phase: string;
            phaseMessage?: string;
            /** @enum {string|null} */
            phaseReason?: "NonPreemptibleOverQuota" | "OverLimit" | null;
            /** Format: date-time */
            phaseUpdatedAt: string;
            podsRequestedResources?: components["schemas"]["RequestedResources"] | null;
            preemptible?: boolean | null;
            priority?: number | null;
            priorityClassName: string;
            projectId: string;
            projectName: string;
            requestedNodePools?: string[];
            requestedPods?: components["schemas"]["RequestedPods"];
            runningPods: number;
            savedOutputs?: components["schemas"]["SavedOutput"][];
            /** @enum {string} */
            source: "CLI" | "Control-plane" | "Other";
            /** Format: date-time */
            stopAt?: string | null;
            submittedBy?: string;
            tenantId: number;
            timeLimitSeconds?: number | null;
            type: string;
            /** Format: date-time */
            updatedAt: string;
            urls?: string[];
            workloadRequestedResources?: components["schemas"]["RequestedResources"] | null;
        };
        WorkloadActions: {
            delete?: boolean;
            suspend?: boolean;
        };
        WorkloadBatch: {
            /** @enum {string} */
            action: "delete";
            ids: string[];
        };
        WorkloadCondition: {
            /** Format: date-time */
            lastTransitionTime?: string | null;
            message?: string;
            reason?: string;
            status: string;
            type: string;
        };
        WorkloadConnection: {
            /** @enum {string} */
            authorizationType?: "public" | "authenticatedUsers" | "authorizedUsersOrGroups";
            authorizedGroups?: string[];
            authorizedUsers?: string[];
            connectionType: string;
            containerPort?: number;
            name: string;
            toolType: string;
            url?: string;
        };
        WorkloadDetails: {
            actionsSupport?: components["schemas"]["WorkloadActions"];
            allocatedResources?: components["schemas"]["AllocatedResources"] | null;
            arguments?: string;
            array?: components["schemas"]["SpecArray"] | null;
            /** Format: date-time */
            beginAt?: string | null;
            /** Format: uuid */
            clusterId: string;
            clusterName?: string;
            command?: string;
            /** Format: date-time */
            completedAt?: string | null;
            conditions: components["schemas"]["WorkloadCondition"][];
            /** Format: date-time */
            createdAt: string;
            currentNodePools?: string[];
            datasources?: components["schemas"]["WorkloadSource"][];
            /** Format: date-time */
            deletedAt?: string | null;
            departmentId: string;
            departmentName: string;
            distributedFramework?: string;
            environments?: components["schemas"]["AssetName"][];
            environmentVariables?: {
                [key: string]: string;
            };
            externalConnections?: components["schemas"]["WorkloadConnection"][];
            /** Format: uuid */
            id: string;
            idleAllocatedGpus?: number | null;
            idleGpus?: number | null;
            images?: string[];
            k8sPhase: string;
            /** Format: date-time */
            k8sPhaseUpdatedAt: string;
            mayEnter?: boolean;
            name: string;
            namespace: string;
            nodes?: string[];
            pendingSchedulingMessages?: components["schemas"]["PendingMessage"][] | null;
            phase: string;
            phaseMessage?: string;
            /** @enum {string|null} */
            phaseReason?: "NonPreemptibleOverQuota" | "OverLimit" | null;
            /** Format: date-time */
            phaseUpdatedAt: string;
            podsRequestedResources?: components["schemas"]["RequestedResources"] | null;
            preemptible?: boolean | null;
            priority?: number | null;
            priorityClassName: string;
            projectId: string;
            projectName: string;
            requestedNodePools?: string[];
            requestedPods?: components["schemas"]["RequestedPods"];
            runningPods: number;
            savedOutputs?: components["schemas"]["SavedOutput"][];
            /** @enum {string} */
            source: "CLI" | "Control-plane" | "Other";
            /** Format: date-time */
            stopAt?: string | null;
            submittedBy?: string;
            tenantId: number;
            timeLimitSeconds?: number | null;
            type: string;
            /** Format: date-time */
            updatedAt: string;
            urls?: string[];
            workloadRequestedResources?: components["schemas"]["RequestedResources"] | null;
        };
        WorkloadDraft: {
            /** Format: uuid */
            clusterId: string;
            /** Format: label */
            name: string;
            numberNameIfTaken?: boolean | null;
            projectId: string;
            useGivenNameAsPrefix?: boolean | null;
        };
        WorkloadList: {
            next?: number;
            workloads: components["schemas"]["Workload"][];
        };
        WorkloadMetrics: {
            measurements: components["schemas"]["Measurement"][];
        };
        WorkloadOrders: {
            ids: string[];
            /** @enum {string} */
            order: "cancel" | "hold" | "release" | "suspend" | "resume";
        };
        WorkloadRecord: {
            actualPhase?: string;
            /** Format: uuid */
            clusterId: string;
            /** Format: date-time */
            createdAt: string;
            createdBy: string;
            departmentId?: string;
            /** @enum {string} */
            desiredPhase: "Running" | "Stopped" | "Deleted";
            name: string;
            projectId: string;
            requestedName: string;
            /** Format: uuid */
            workloadId: string;
        };
        WorkloadSource: {
            /** Format: uuid */
            id: string;
            name: string;
            type?: string;
        };
        WorkloadTelemetry: {
            /** Format: date-time */
            timestamp: string;
            type: string;
            values: components["schemas"]["TelemetryValue"][];
        };
        WorkloadUsage: {
            asked: components["schemas"]["AskedResources"];
            suggested: components["schemas"]["SuggestedResources"];
            used: components["schemas"]["UsedResources"];
        };
        Workspace: {
            actualPhase?: string;
            /** Format: uuid */
            clusterId: string;
            /** Format: date-time */
            createdAt: string;
            createdBy: string;
            departmentId?: string;
            /** @enum {string} */
            desiredPhase: "Running" | "Stopped" | "Deleted";
            name: string;
            projectId: string;
            requestedName: string;
            spec: components["schemas"]["WorkspaceSpec"];
            /** Format: uuid */
            workloadId: string;
        };
        WorkspaceDraft: {
            /** Format: uuid */
            clusterId: string;
            /** Format: label */
            name: string;
            numberNameIfTaken?: boolean | null;
            projectId: string;
            spec?: components["schemas"]["WorkspaceSpec"] | null;
            useGivenNameAsPrefix?: boolean | null;
        };
        WorkspaceSpec: {
            annotations?: components["schemas"]["SpecAnnotation"][] | null;
            args?: unknown;
            array?: components["schemas"]["SpecArray"] | null;
            assets?: components["schemas"]["SpecAssets"] | null;
            autoDeletionTimeAfterCompletionSeconds?: number | null;
            backoffLimit?: number | null;
            /** Format: date-time */
            beginAt?: string | null;
            category?: string | null;
            command?: unknown;
            compute?: components["schemas"]["SpecCompute"] | null;
            createHomeDir?: boolean | null;
            dependsOn?: components["schemas"]["SpecDependency"][] | null;
            environmentVariables?: components["schemas"]["SpecVariable"][] | null;
            excludeNodes?: string[] | null;
            exposedUrls?: components["schemas"]["SpecExposedUrl"][] | null;
            hold?: boolean | null;
            image?: string | null;
            /** @enum {string|null} */
            imagePullPolicy?: "Always" | "Never" | "IfNotPresent" | null;
            imagePullSecrets?: Record<string, never>[] | null;
            labels?: components["schemas"]["SpecLabel"][] | null;
            /** Format: quantity */
            logLimit?: string | null;
            nodeAffinityRequired?: Record<string, never> | null;
            nodePools?: string[] | null;
            nodes?: string[] | null;
            nodeType?: string | null;
            podAffinity?: components["schemas"]["SpecPodAffinity"] | null;
            ports?: components["schemas"]["SpecPort"][] | null;
            /** @enum {string|null} */
            preemptibility?: "preemptible" | "non-preemptible" | null;
            preemptSignal?: string | null;
            priorityClass?: string | null;
            probes?: components["schemas"]["SpecProbes"] | null;
            relatedUrls?: components["schemas"]["SpecRelatedUrl"][] | null;
            /** @enum {string|null} */
            restartPolicy?: "Always" | "OnFailure" | "Never" | null;
            retry?: components["schemas"]["SpecRetry"] | null;
            security?: components["schemas"]["SpecSecurity"] | null;
            signalBeforeEnd?: components["schemas"]["SpecWarning"] | null;
            stdin?: boolean | null;
            steps?: components["schemas"]["SpecStep"][] | null;
            /** Format: date-time */
            stopAt?: string | null;
            storage?: components["schemas"]["SpecStorage"] | null;
            terminateAfterPreemption?: boolean | null;
            terminationGracePeriodSeconds?: number | null;
            timeLimitSeconds?: number | null;
            tolerations?: components["schemas"]["SpecToleration"][] | null;
            topology?: Record<string, never> | null;
            tty?: boolean | null;
            workingDir?: string | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
