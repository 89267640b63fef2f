// Written by `npm run generate` from the OpenAPI document.

export interface paths {
    "/api/auth": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["authenticate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listApiKeys"];
        put?: never;
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{id}/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listUserApiKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{id}/api-keys/{apiKeyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["revokeUserApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete: operations["endOtherSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{id}/change-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["changePassword"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listWorkspaces"];
        put?: never;
        post: operations["createWorkspace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspaces/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getWorkspace"];
        put: operations["updateWorkspace"];
        post?: never;
        delete: operations["deleteWorkspace"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspaces/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["restoreWorkspace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspaces/current": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getCurrentWorkspace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspaces/current/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["setCurrentWorkspace"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspaces/{id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listWorkspaceMembers"];
        put?: never;
        post: operations["addWorkspaceMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspaces/{id}/members/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["removeWorkspaceMember"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspaces/orphaned": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listOrphanedWorkspaces"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspaces/{id}/transfer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["transferWorkspace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspaces/{id}/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["searchWorkspace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSurveys"];
        put?: never;
        post: operations["createSurvey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSurvey"];
        put: operations["updateSurvey"];
        post?: never;
        delete: operations["deleteSurvey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["restoreSurvey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/{id}/quality-settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["updateQualitySettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/{id}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["publishSurvey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/{id}/publish-check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["checkSurvey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/{id}/duplicate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["duplicateSurvey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/{id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["exportSurvey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["importSurvey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/{id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSurveyVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/{id}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSurveyVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/{id}/versions/{version}/diff/{other}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["compareSurveyVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/{id}/versions/{version}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["restoreSurveyVersion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["watchSurvey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/{surveyId}/design": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSurveyDesign"];
        put: operations["saveSurveyDesign"];
        post?: never;
        delete: operations["deleteSurveyDesign"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/{id}/look": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSurveyLook"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/{id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["previewSurvey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/import-data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["importSurveyData"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/{surveyId}/pages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listPages"];
        put?: never;
        post: operations["createPage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/{surveyId}/pages/{pageId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPage"];
        put: operations["updatePage"];
        post?: never;
        delete: operations["deletePage"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/{surveyId}/pages/reorder": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["reorderPages"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/{surveyId}/blocks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listBlocks"];
        put?: never;
        post: operations["createBlock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/{surveyId}/blocks/{blockId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getBlock"];
        put: operations["updateBlock"];
        post?: never;
        delete: operations["deleteBlock"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/{surveyId}/questions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listQuestions"];
        put?: never;
        post: operations["createQuestion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/{surveyId}/previous-questions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listPreviousQuestions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/{surveyId}/questions/{questionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getQuestion"];
        put: operations["updateQuestion"];
        post?: never;
        delete: operations["deleteQuestion"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/{surveyId}/questions/reorder": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["reorderQuestions"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/{surveyId}/images": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["addSurveyImage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/{surveyId}/media": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["addSurveyMedia"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/s/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getRespondentSurvey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/s/{token}/responses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["submitResponse"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/s/{token}/responses/{responseToken}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["resumeResponse"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["saveResponsePage"];
        trace?: never;
    };
    "/api/public/s/{token}/responses/{responseToken}/move": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["moveResponse"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/s/{token}/responses/{responseToken}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["completeResponse"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/s/{token}/responses/{responseToken}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listUploadedFiles"];
        put?: never;
        post: operations["uploadResponseFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/s/{token}/responses/{responseToken}/files/{fileId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["removeUploadedFile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listLinks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/links/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["changeLinks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/{surveyId}/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSurveyLinks"];
        put?: never;
        post: operations["createSurveyLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/{surveyId}/links/{linkId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["updateSurveyLink"];
        post?: never;
        delete: operations["deleteSurveyLink"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/{surveyId}/links/{linkId}/qr": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSurveyLinkQr"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/{surveyId}/links/{linkId}/embed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSurveyLinkEmbed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/{surveyId}/links/{linkId}/signing-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createLinkSigningKey"];
        delete: operations["revokeLinkSigningKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/{surveyId}/links/{linkId}/mismatches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listLinkMismatches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/{surveyId}/invite": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["inviteToSurvey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/{surveyId}/invite/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["previewInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/{surveyId}/invite/{linkId}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resendInvitations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/{surveyId}/invite/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getInvitationSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/{surveyId}/invite/scheduled/{campaignId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["cancelScheduledInvitations"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/{surveyId}/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listInvitations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/{surveyId}/invitations/{invitationId}/bounce": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["reportBounce"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/waves/distributions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listDistributions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/respondents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listRespondents"];
        put?: never;
        post: operations["createRespondent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/respondents/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["countRespondents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/respondents/{respondentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getRespondent"];
        put: operations["updateRespondent"];
        post?: never;
        delete: operations["deleteRespondent"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/respondents/{respondentId}/opt-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["optOutRespondent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/respondents/{respondentId}/opt-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["optInRespondent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/respondents/{respondentId}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["exportRespondent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/respondents/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["importRespondents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/waves": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listWaves"];
        put?: never;
        post: operations["createWave"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/waves/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["countWaves"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/waves/active-by-survey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listActiveWavesBySurvey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/waves/progress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listWaveProgress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/waves/quota-rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listQuotaRules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/surveys/waves/{id}/quotas": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getWaveQuotas"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["setWaveQuotas"];
        trace?: never;
    };
    "/api/surveys/waves/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getWave"];
        put: operations["updateWave"];
        post?: never;
        delete: operations["deleteWave"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/outbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listOutbox"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/responses/{surveyId}/grid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getGrid"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/responses/{surveyId}/rows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["addResponses"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/responses/{surveyId}/rows/{responseId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["editResponse"];
        trace?: never;
    };
    "/api/responses/{surveyId}/rows/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["editResponses"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/responses/{surveyId}/rows/{responseId}/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["eraseResponse"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/responses/{surveyId}/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["changeResponses"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/responses/{surveyId}/find-replace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["findAndReplace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/responses/{surveyId}/restore-originals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["restoreOriginals"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/responses/{surveyId}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listDataChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/responses/{surveyId}/changes/{changeId}/rows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listChangedRows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/responses/{surveyId}/changes/{changeId}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["undoDataChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/responses/{surveyId}/quality-check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["checkQuality"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/responses/{surveyId}/quality": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getQuality"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/responses/{surveyId}/quality-flags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["reviewQualityFlags"];
        trace?: never;
    };
    "/api/responses/{surveyId}/comments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listComments"];
        put?: never;
        post: operations["addComment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/responses/{surveyId}/comments/{commentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteComment"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/responses/{surveyId}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listResponseFiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/responses/{surveyId}/files/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["downloadResponseFiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/responses/{surveyId}/files/{fileId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["downloadResponseFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/responses/{surveyId}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["exportResponses"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/responses/{surveyId}/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["importResponses"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/responses/{surveyId}/seed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["seedResponses"];
        delete: operations["deleteSeededResponses"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/responses/{surveyId}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getResponseStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/responses/{surveyId}/distribution/{columnCode}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getDistribution"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/responses/{surveyId}/question/{questionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getQuestionData"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/responses/{surveyId}/crosstab": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["crosstabResponses"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/responses/{surveyId}/correlations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["correlateResponses"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/responses/{surveyId}/reliability": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["computeReliability"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/responses/{surveyId}/transform/recode": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["recodeColumns"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/responses/{surveyId}/transform/normalize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["normalizeColumns"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/responses/{surveyId}/transform/z-scores": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["standardizeColumns"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/responses/{surveyId}/transform/winsorize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["winsorizeColumns"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/responses/{surveyId}/transform/bin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["binColumns"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/responses/{surveyId}/transform/text": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["cleanTexts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/responses/{surveyId}/computed-columns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["addComputedColumn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/responses/{surveyId}/derived-columns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listDerivedColumns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/responses/{surveyId}/derived-columns/{columnCode}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getDerivedColumn"];
        put?: never;
        post?: never;
        delete: operations["deleteDerivedColumn"];
        options?: never;
        head?: never;
        patch: operations["changeDerivedColumn"];
        trace?: never;
    };
    "/api/responses/{surveyId}/weighting/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["previewWeighting"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/responses/{surveyId}/weighting/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createWeighting"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/responses/{surveyId}/weighting": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listWeights"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/responses/{surveyId}/weighting/{columnCode}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getWeight"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/responses/{surveyId}/weighting/{columnCode}/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["refreshWeight"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dashboards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listDashboards"];
        put?: never;
        post: operations["createDashboard"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dashboards/check-slug": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["checkDashboardSlug"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dashboards/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getDashboard"];
        put: operations["updateDashboard"];
        post?: never;
        delete: operations["deleteDashboard"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dashboards/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["restoreDashboard"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dashboards/{id}/duplicate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["duplicateDashboard"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dashboards/{id}/pages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createDashboardPage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dashboards/{id}/pages/reorder": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["reorderDashboardPages"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dashboards/{id}/pages/{pageId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["updateDashboardPage"];
        post?: never;
        delete: operations["deleteDashboardPage"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dashboards/{id}/charts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createDashboardChart"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dashboards/{id}/charts/reorder": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["reorderDashboardCharts"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dashboards/{id}/charts/{chartId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["updateDashboardChart"];
        post?: never;
        delete: operations["deleteDashboardChart"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dashboards/{id}/chart-data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["getChartData"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dashboards/{id}/chart-data-batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["getChartDataBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dashboards/{id}/shares": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listDashboardShares"];
        put?: never;
        post: operations["createDashboardShare"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dashboards/{id}/shares/{shareId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteDashboardShare"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/d/{orgSlug}/{dashboardSlug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPublicDashboard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/d/{orgSlug}/{dashboardSlug}/unlock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["unlockPublicDashboard"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/d/{orgSlug}/{dashboardSlug}/chart-data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["getPublicChartData"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/d/{orgSlug}/{dashboardSlug}/chart-data-batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["getPublicChartDataBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listReports"];
        put?: never;
        post: operations["createReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/{reportId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getReport"];
        put: operations["updateReport"];
        post?: never;
        delete: operations["deleteReport"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/{reportId}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["restoreReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/{reportId}/duplicate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["duplicateReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/from-dashboard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createReportFromDashboard"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/{reportId}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["previewReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/{reportId}/slides": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createReportSlide"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/{reportId}/slides/reorder": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["reorderReportSlides"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/{reportId}/slides/{slideId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["updateReportSlide"];
        post?: never;
        delete: operations["deleteReportSlide"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/{reportId}/slides/{slideId}/duplicate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["duplicateReportSlide"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/{reportId}/images": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listReportImages"];
        put?: never;
        post: operations["addReportImage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/{reportId}/images/{imageId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getReportImage"];
        put?: never;
        post?: never;
        delete: operations["deleteReportImage"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/{reportId}/export/pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["exportReportPdf"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/{reportId}/export/pptx": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["exportReportPptx"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ai/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listChatSessions"];
        put?: never;
        post: operations["createChatSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ai/sessions/{uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getChatSession"];
        put?: never;
        post?: never;
        delete: operations["deleteChatSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ai/chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["chat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/responses/{surveyId}/ai/sentiment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["analyzeSentiment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/responses/{surveyId}/ai/themes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["findThemes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/responses/{surveyId}/ai/classify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["classifyTexts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/responses/{surveyId}/ai/suggest-categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["suggestCategories"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/responses/{surveyId}/ai/summarize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["summarizeTexts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/responses/{surveyId}/ai/translate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["translateTexts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/responses/{surveyId}/ai/insights": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["findInsights"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/responses/{surveyId}/ai/anomalies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["findAnomalies"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listUsers"];
        put?: never;
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getUser"];
        put: operations["updateUser"];
        post?: never;
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["approveUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["rejectUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{id}/suspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["suspendUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{id}/reactivate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["reactivateUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{id}/ai-access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["setUserAiAccess"];
        trace?: never;
    };
    "/api/users/{id}/password-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["sendPasswordLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{id}/email-confirmation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["confirmUserEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{id}/dashboards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listUserDashboards"];
        put: operations["setUserDashboards"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{id}/avatar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getUserAvatar"];
        put: operations["setUserAvatar"];
        post?: never;
        delete: operations["deleteUserAvatar"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listGroups"];
        put?: never;
        post: operations["createGroup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/groups/{groupId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["updateGroup"];
        post?: never;
        delete: operations["deleteGroup"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/groups/{groupId}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listGroupMembers"];
        put?: never;
        post: operations["addGroupMembers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/groups/{groupId}/members/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["removeGroupMember"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/groups/{groupId}/dashboards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listGroupDashboards"];
        put: operations["setGroupDashboards"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invite-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listInviteLinks"];
        put?: never;
        post: operations["createInviteLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invite-links/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["revokeInviteLink"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organization": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getOrganization"];
        put: operations["updateOrganization"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listOrganizations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/current/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["setCurrentOrganization"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/invites/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getInvitation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getCreditBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getCreditUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/credits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getCreditOffer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/create-credits-checkout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createCreditsCheckout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing/stripe-webhook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["receiveStripeEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getJob"];
        put?: never;
        post?: never;
        delete: operations["cancelJob"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["watchJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{id}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["downloadJobFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAuditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audit/{auditId}/undo-move": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["undoMove"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["health"];
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
        AuthenticateRequest: components["schemas"]["AuthenticateRequestLogin"] | components["schemas"]["AuthenticateRequestLoginWithLink"] | components["schemas"]["AuthenticateRequestLogout"] | components["schemas"]["AuthenticateRequestRegister"] | components["schemas"]["AuthenticateRequestForgot"] | components["schemas"]["AuthenticateRequestReset"] | components["schemas"]["AuthenticateRequestConfirmEmail"];
        CreateApiKeyRequest: {
            key_name: string;
            current_password: string;
            expires_at?: string | null;
        };
        ChangePasswordRequest: {
            current_password: string;
            new_password: string;
            refuse_common_password?: boolean;
            include_token?: boolean;
        };
        CreateWorkspaceRequest: {
            workspace_name: string;
            workspace_color?: string | null;
            workspace_visibility?: 1 | 2 | 3;
        };
        UpdateWorkspaceRequest: {
            workspace_name?: string;
            workspace_color?: string | null;
            workspace_visibility?: 1 | 2 | 3;
            workspace_look?: components["schemas"]["UpdateWorkspaceRequestWorkspaceLook"];
            workspace_id?: unknown;
            workspace_inserted?: unknown;
            owner_id?: unknown;
            my_role?: unknown;
        };
        AddWorkspaceMemberRequest: {
            user_id: number;
            /** @enum {string} */
            role: "viewer" | "editor";
        };
        TransferWorkspaceRequest: {
            user_id: number;
        };
        CreateSurveyRequest: {
            survey_name: string;
            survey_description?: string | null;
            /** @enum {string} */
            survey_type?: "quantitative" | "qualitative" | "mixed";
            workspace_id?: number;
            survey_settings?: components["schemas"]["CreateSurveyRequestSurveySettings"] | null;
            quality_settings?: components["schemas"]["CreateSurveyRequestQualitySettings"] | null;
            pages?: components["schemas"]["NewSurveyPage"][] | null;
            questions?: components["schemas"]["NewSurveyQuestion"][] | null;
        };
        SurveyTranslation: {
            survey_name?: string | null;
            survey_description?: string | null;
            title?: string | null;
            welcome_title?: string | null;
            welcome_text?: string | null;
            welcome_image_alt?: string | null;
            welcome_button?: string | null;
            end_title?: string | null;
            end_image_alt?: string | null;
            end_button?: string | null;
            completion_message?: string | null;
            screened_out_message?: string | null;
            over_quota_message?: string | null;
            closed_message?: string | null;
            consent_text?: string | null;
            pages?: {
                [key: string]: components["schemas"]["PageTranslation"];
            };
        };
        PageTranslation: {
            page_title?: string | null;
            page_description?: string | null;
        };
        QualityBattery: {
            column_codes: string[];
        };
        NewSurveyPage: {
            page_title?: string | null;
            page_description?: string | null;
            page_logic?: components["schemas"]["PageLogicInput"] | null;
            questions?: components["schemas"]["NewSurveyQuestion"][] | null;
        };
        JsonValue: unknown;
        QuestionTranslations: {
            [key: string]: components["schemas"]["QuestionTranslation"];
        };
        QuestionTranslation: {
            question_text?: string | null;
            description?: string | null;
            image_alt?: string | null;
            media_alt?: string | null;
            placeholder?: string | null;
            min_label?: string | null;
            mid_label?: string | null;
            max_label?: string | null;
            prefix?: string | null;
            suffix?: string | null;
            other_label?: string | null;
            yes_label?: string | null;
            no_label?: string | null;
            options?: {
                [key: string]: string | null;
            };
            rows?: {
                [key: string]: string | null;
            };
            point_labels?: {
                [key: string]: string | null;
            };
            no_answers?: {
                [key: string]: string | null;
            };
        };
        UpdateSurveyRequest: {
            survey_name?: string;
            survey_description?: string | null;
            survey_status?: 0 | 1 | 2 | 3;
            /** @enum {string} */
            survey_type?: "quantitative" | "qualitative" | "mixed";
            workspace_id?: number;
            survey_settings?: components["schemas"]["CreateSurveyRequestSurveySettings"] | null;
            quality_settings?: components["schemas"]["CreateSurveyRequestQualitySettings"] | null;
            survey_arrangement?: components["schemas"]["Arrangement"] | null;
            confirmed_translations?: components["schemas"]["ConfirmedTranslations"] | null;
            survey_id?: unknown;
            deleted_at?: unknown;
            response_count?: unknown;
            survey_inserted?: unknown;
            survey_updated?: unknown;
            closed_at?: unknown;
            published_version?: unknown;
            has_unpublished_changes?: unknown;
            complete_count?: unknown;
            collection_status?: unknown;
            closes_at?: unknown;
            response_limit?: unknown;
            revision?: unknown;
            last_edited_by?: unknown;
            outdated_translations?: unknown;
            etag?: unknown;
            pages?: unknown;
            blocks?: unknown;
            questions?: unknown;
        };
        Arrangement: {
            /** @enum {string} */
            order?: "fixed" | "random" | "rotate" | "reverse";
            pinned?: number[];
            show?: number | null;
        };
        ConfirmedTranslations: {
            [key: string]: string[];
        };
        UpdateQualitySettingsRequest: {
            speeder?: components["schemas"]["CreateSurveyRequestQualitySettingsSpeeder"] | null;
            straightliner?: components["schemas"]["CreateSurveyRequestQualitySettingsStraightliner"] | null;
            duplicate?: components["schemas"]["CreateSurveyRequestQualitySettingsDuplicate"] | null;
            open_end?: components["schemas"]["CreateSurveyRequestQualitySettingsOpenEnd"] | null;
            attention_checks?: components["schemas"]["CreateSurveyRequestQualitySettingsAttentionCheck"][] | null;
            action?: ("flag" | "screen_out") | null;
        };
        PublishSurveyRequest: {
            note?: string | null;
        };
        ImportSurveyRequest: {
            [key: string]: unknown;
        };
        SaveSurveyDesignRequest: {
            design: components["schemas"]["SamplingDesign"];
            check?: unknown;
        };
        SamplingDesign: components["schemas"]["LinearizedDesign"] | components["schemas"]["ReplicateDesign"];
        LinearizedDesign: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            method: "linearized";
            weight?: string | null;
            strata?: string | null;
            clusters?: string[];
            population?: components["schemas"]["DesignPopulation"] | null;
            /** @enum {string} */
            lonely_clusters?: "fail" | "adjust" | "certainty" | "average";
        };
        DesignPopulation: {
            /** @enum {string} */
            kind: "sizes" | "fractions";
            column_code?: string | null;
            value?: number | null;
            by_stratum?: {
                [key: string]: number;
            } | null;
        };
        ReplicateDesign: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            method: "brr" | "fay" | "jk1" | "jkn" | "bootstrap";
            weight: string;
            replicates: string[];
            rho?: number | null;
            scale?: number | null;
            rscales?: number[] | null;
            mse?: boolean;
            degrees_of_freedom?: number | null;
        };
        ImportSurveyDataUpload: {
            workspace_id?: number;
            /** @enum {string} */
            format?: "csv" | "xlsx" | "sav";
            /** @enum {string} */
            delimiter?: "," | ";" | "tab" | "|" | "auto";
            /** @enum {string} */
            encoding?: "utf-8" | "utf-16le" | "utf-16be" | "windows-1250" | "windows-1251" | "windows-1252" | "windows-1253" | "windows-1254" | "windows-1255" | "windows-1256" | "windows-1257" | "windows-1258" | "windows-874" | "iso-8859-1" | "iso-8859-2" | "iso-8859-3" | "iso-8859-4" | "iso-8859-5" | "iso-8859-6" | "iso-8859-7" | "iso-8859-8" | "iso-8859-9" | "iso-8859-10" | "iso-8859-13" | "iso-8859-14" | "iso-8859-15" | "koi8-r" | "koi8-u" | "macintosh" | "x-mac-cyrillic" | "ibm866" | "shift_jis" | "euc-jp" | "iso-2022-jp" | "gbk" | "gb18030" | "big5" | "euc-kr" | "iso-8859-11" | "iso-8859-16" | "cp437" | "cp720" | "cp737" | "cp775" | "cp850" | "cp852" | "cp855" | "cp856" | "cp857" | "cp858" | "cp860" | "cp861" | "cp862" | "cp863" | "cp864" | "cp865" | "cp869" | "macgreek" | "macturkish" | "maccenteuro" | "maccroatian" | "maciceland";
            missing_values?: string;
            /** @enum {string} */
            decimal?: "." | ",";
            /** @enum {string} */
            unescape_formulas?: "auto" | "true" | "false";
            /** @enum {string} */
            layout?: "auto" | "plain" | "qualtrics" | "surveymonkey" | "limesurvey";
            timezone?: string;
            survey_name?: string;
            /** @enum {string} */
            publish?: "true" | "false";
            /** @enum {string} */
            dry_run?: "true" | "false";
            /** Format: binary */
            file: string;
        };
        CreatePageRequest: {
            page_title?: string | null;
            page_description?: string | null;
            page_logic?: components["schemas"]["PageLogicInput"] | null;
            block_id?: number | null;
            shown_to_arm?: string | null;
            page_arrangement?: components["schemas"]["Arrangement"] | null;
            position?: number;
        };
        UpdatePageRequest: {
            page_title?: string | null;
            page_description?: string | null;
            page_logic?: components["schemas"]["PageLogicInput"] | null;
            block_id?: number | null;
            shown_to_arm?: string | null;
            page_arrangement?: components["schemas"]["Arrangement"] | null;
            position?: number;
            page_id?: unknown;
            question_ids?: unknown;
            questions?: unknown;
            retired?: unknown;
            etag?: unknown;
        };
        ReorderPagesRequest: {
            page_ids: number[];
        };
        CreateBlockRequest: {
            block_code?: string;
            block_title?: string | null;
            parent_block_id?: number | null;
            shown_to_arm?: string | null;
            block_arrangement?: components["schemas"]["Arrangement"] | null;
            arms?: components["schemas"]["Arm"][];
            /** @enum {string} */
            arm_assignment?: "random" | "least_filled";
            block_logic?: components["schemas"]["BlockLogicInput"] | null;
            block_loop?: components["schemas"]["Loop"] | null;
            page_ids?: number[];
        };
        Arm: {
            arm_code: string;
            arm_label?: string | null;
            share?: number;
        };
        Loop: {
            /** @enum {string} */
            over?: "chosen" | "not_chosen" | "listed";
            question_code?: string | null;
            items?: components["schemas"]["LoopItem"][];
            max_items?: number | null;
            /** @enum {string} */
            order?: "fixed" | "random" | "least_filled";
        };
        LoopItem: {
            item_code: string;
            item_label?: string | null;
            attributes?: {
                [key: string]: string;
            };
            translations?: {
                [key: string]: components["schemas"]["LoopItemTranslations"];
            };
        };
        UpdateBlockRequest: {
            block_code?: string;
            block_title?: string | null;
            parent_block_id?: number | null;
            shown_to_arm?: string | null;
            block_arrangement?: components["schemas"]["Arrangement"] | null;
            arms?: components["schemas"]["Arm"][];
            /** @enum {string} */
            arm_assignment?: "random" | "least_filled";
            block_logic?: components["schemas"]["BlockLogicInput"] | null;
            block_loop?: components["schemas"]["Loop"] | null;
            page_ids?: number[];
            block_id?: unknown;
            retired?: unknown;
            etag?: unknown;
        };
        NewQuestion: components["schemas"]["NewQuestionOfSingleChoice"] | components["schemas"]["NewQuestionOfMultipleChoice"] | components["schemas"]["NewQuestionOfText"] | components["schemas"]["NewQuestionOfNumber"] | components["schemas"]["NewQuestionOfScale"] | components["schemas"]["NewQuestionOfMatrix"] | components["schemas"]["NewQuestionOfRanking"] | components["schemas"]["NewQuestionOfDate"] | components["schemas"]["NewQuestionOfNps"] | components["schemas"]["NewQuestionOfDropdown"] | components["schemas"]["NewQuestionOfSlider"] | components["schemas"]["NewQuestionOfFileUpload"] | components["schemas"]["NewQuestionOfConstantSum"] | components["schemas"]["NewQuestionOfCalculated"] | components["schemas"]["NewQuestionOfStatement"] | components["schemas"]["NewQuestionOfSideBySide"];
        NewQuestionOfSingleChoice: {
            page_id: number;
            position?: number;
            question_text: string;
            question_code?: string;
            question_required?: boolean;
            question_settings?: components["schemas"]["SingleChoiceSettingsInput"] | null;
            options?: (string | components["schemas"]["NewQuestionOfSingleChoiceOption"])[] | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "single_choice";
        };
        SingleChoiceSettingsInput: {
            variable?: components["schemas"]["ImportedVariable"] | null;
            description?: (string | null) | null;
            image_url?: (string | null) | null;
            image_alt?: (string | null) | null;
            media_url?: (string | null) | null;
            media_alt?: (string | null) | null;
            media_captions?: ({
                [key: string]: string;
            } | null) | null;
            placeholder?: (string | null) | null;
            shuffle?: ("none" | "random" | "rotate" | "reverse") | null;
            hidden?: boolean | null;
            report_label?: (string | null) | null;
            no_answers?: components["schemas"]["NoAnswers"] | null;
            logic?: components["schemas"]["QuestionLogicInput"] | null;
            translations?: components["schemas"]["QuestionTranslations"] | null;
            display?: ("list" | "buttons" | "cards") | null;
            other_label?: (string | null) | null;
            columns?: number | null;
            searchable?: boolean | null;
            measure?: ("nominal" | "ordinal" | "scale") | null;
        };
        ImportedVariable: {
            name: string;
            label: string | null;
            /** @enum {string} */
            kind?: "number" | "string" | "date" | "datetime" | "time";
            format?: components["schemas"]["ImportedVariableFormat"];
            measure?: ("nominal" | "ordinal" | "scale") | null;
            missing?: (string | number)[];
            missing_range?: components["schemas"]["ImportedVariableMissingRange"] | null;
            value_labels?: components["schemas"]["ImportedVariableValueLabel"][];
            values?: components["schemas"]["ImportedVariableValue"][];
            is_weight?: boolean;
            counted?: string;
            members?: components["schemas"]["ImportedVariableMember"][];
        };
        NoAnswers: components["schemas"]["NoAnswer"][];
        QuestionLogicInput: {
            display?: components["schemas"]["ConditionInput"];
            skip?: components["schemas"]["SkipRuleInput"][];
            options?: {
                [key: string]: components["schemas"]["ConditionInput"];
            };
            carry_forward?: components["schemas"]["CarryForwardInput"];
        };
        ConditionInput: components["schemas"]["ComparisonInput"] | components["schemas"]["QuestionComparisonInput"] | components["schemas"]["ConditionGroupInput"] | components["schemas"]["ShortCondition"];
        ComparisonInput: {
            left: components["schemas"]["ComparisonLeftInput"];
            /** @enum {string} */
            operator: "equals" | "not_equals" | "contains" | "not_contains" | "starts_with" | "ends_with" | "gt" | "gte" | "lt" | "lte" | "between" | "in" | "not_in" | "includes_any" | "includes_all" | "includes_none" | "answered" | "not_answered" | "gave_reason" | "before" | "after";
            right?: (string | number | boolean) | (string | number | boolean)[];
        };
        ComparisonLeftInput: {
            /** @enum {string} */
            type?: "question" | "column" | "hidden" | "attribute" | "arm" | "previous";
            code?: string;
            question_id?: number;
            row_code?: string;
        };
        QuestionComparisonInput: {
            question_id: number;
            row_code?: string;
            /** @enum {string} */
            operator: "equals" | "not_equals" | "contains" | "not_contains" | "starts_with" | "ends_with" | "gt" | "gte" | "lt" | "lte" | "between" | "in" | "not_in" | "includes_any" | "includes_all" | "includes_none" | "answered" | "not_answered" | "gave_reason" | "before" | "after";
            right?: (string | number | boolean) | (string | number | boolean)[];
        };
        ConditionGroupInput: {
            /** @enum {string} */
            connector?: "and" | "or";
            conditions: components["schemas"]["ConditionInput"][];
        };
        ShortCondition: {
            [key: string]: (string | number | boolean) | (string | number | boolean)[];
        };
        SkipRuleInput: {
            when: components["schemas"]["ConditionInput"];
            /** @enum {string} */
            action: "jump_to_page" | "jump_to_question" | "end_survey" | "screen_out";
            target_id?: number;
            target_page?: number;
            target_question?: string;
            reason?: string;
        };
        CarryForwardInput: {
            from?: string;
            question_id?: number;
            /** @enum {string} */
            mode?: "selected" | "not_selected" | "shown";
        };
        NewQuestionOfMultipleChoice: {
            page_id: number;
            position?: number;
            question_text: string;
            question_code?: string;
            question_required?: boolean;
            question_settings?: components["schemas"]["MultipleChoiceSettingsInput"] | null;
            options?: (string | components["schemas"]["NewQuestionOfSingleChoiceOption"])[] | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "multiple_choice";
        };
        MultipleChoiceSettingsInput: {
            variable?: components["schemas"]["ImportedVariable"] | null;
            description?: (string | null) | null;
            image_url?: (string | null) | null;
            image_alt?: (string | null) | null;
            media_url?: (string | null) | null;
            media_alt?: (string | null) | null;
            media_captions?: ({
                [key: string]: string;
            } | null) | null;
            placeholder?: (string | null) | null;
            shuffle?: ("none" | "random" | "rotate" | "reverse") | null;
            hidden?: boolean | null;
            report_label?: (string | null) | null;
            no_answers?: components["schemas"]["NoAnswers"] | null;
            logic?: components["schemas"]["QuestionLogicInput"] | null;
            translations?: components["schemas"]["QuestionTranslations"] | null;
            display?: ("list" | "buttons" | "cards") | null;
            other_label?: (string | null) | null;
            columns?: number | null;
            searchable?: boolean | null;
            min_selections?: (number | null) | null;
            max_selections?: (number | null) | null;
        };
        NewQuestionOfText: {
            page_id: number;
            position?: number;
            question_text: string;
            question_code?: string;
            question_required?: boolean;
            question_settings?: components["schemas"]["TextSettingsInput"] | null;
            options?: (string | components["schemas"]["NewQuestionOfSingleChoiceOption"])[] | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "text";
        };
        TextSettingsInput: {
            variable?: components["schemas"]["ImportedVariable"] | null;
            description?: (string | null) | null;
            image_url?: (string | null) | null;
            image_alt?: (string | null) | null;
            media_url?: (string | null) | null;
            media_alt?: (string | null) | null;
            media_captions?: ({
                [key: string]: string;
            } | null) | null;
            placeholder?: (string | null) | null;
            shuffle?: ("none" | "random" | "rotate" | "reverse") | null;
            hidden?: boolean | null;
            report_label?: (string | null) | null;
            no_answers?: components["schemas"]["NoAnswers"] | null;
            logic?: components["schemas"]["QuestionLogicInput"] | null;
            translations?: components["schemas"]["QuestionTranslations"] | null;
            multiline?: boolean | null;
            min_length?: (number | null) | null;
            max_length?: number | null;
            format?: ("none" | "email" | "url" | "phone" | "regex") | null;
            pattern?: (string | null) | null;
        };
        NewQuestionOfNumber: {
            page_id: number;
            position?: number;
            question_text: string;
            question_code?: string;
            question_required?: boolean;
            question_settings?: components["schemas"]["NumberSettingsInput"] | null;
            options?: (string | components["schemas"]["NewQuestionOfSingleChoiceOption"])[] | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "number";
        };
        NumberSettingsInput: {
            variable?: components["schemas"]["ImportedVariable"] | null;
            description?: (string | null) | null;
            image_url?: (string | null) | null;
            image_alt?: (string | null) | null;
            media_url?: (string | null) | null;
            media_alt?: (string | null) | null;
            media_captions?: ({
                [key: string]: string;
            } | null) | null;
            placeholder?: (string | null) | null;
            shuffle?: ("none" | "random" | "rotate" | "reverse") | null;
            hidden?: boolean | null;
            report_label?: (string | null) | null;
            no_answers?: components["schemas"]["NoAnswers"] | null;
            logic?: components["schemas"]["QuestionLogicInput"] | null;
            translations?: components["schemas"]["QuestionTranslations"] | null;
            min?: number | null;
            max?: number | null;
            step?: (number | null) | null;
            decimals?: number | null;
            prefix?: (string | null) | null;
            suffix?: (string | null) | null;
        };
        NewQuestionOfScale: {
            page_id: number;
            position?: number;
            question_text: string;
            question_code?: string;
            question_required?: boolean;
            question_settings?: components["schemas"]["ScaleSettingsInput"] | null;
            options?: (string | components["schemas"]["NewQuestionOfSingleChoiceOption"])[] | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "scale";
        };
        ScaleSettingsInput: {
            variable?: components["schemas"]["ImportedVariable"] | null;
            description?: (string | null) | null;
            image_url?: (string | null) | null;
            image_alt?: (string | null) | null;
            media_url?: (string | null) | null;
            media_alt?: (string | null) | null;
            media_captions?: ({
                [key: string]: string;
            } | null) | null;
            placeholder?: (string | null) | null;
            shuffle?: ("none" | "random" | "rotate" | "reverse") | null;
            hidden?: boolean | null;
            report_label?: (string | null) | null;
            no_answers?: components["schemas"]["NoAnswers"] | null;
            logic?: components["schemas"]["QuestionLogicInput"] | null;
            translations?: components["schemas"]["QuestionTranslations"] | null;
            min?: number | null;
            max?: number | null;
            step?: number | null;
            min_label?: (string | null) | null;
            mid_label?: (string | null) | null;
            max_label?: (string | null) | null;
            point_labels?: ({
                [key: string]: string;
            } | null) | null;
            display?: ("numbers" | "stars" | "smileys") | null;
        };
        NewQuestionOfMatrix: {
            page_id: number;
            position?: number;
            question_text: string;
            question_code?: string;
            question_required?: boolean;
            question_settings: components["schemas"]["MatrixSettingsInput"];
            options?: (string | components["schemas"]["NewQuestionOfSingleChoiceOption"])[] | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "matrix";
        };
        MatrixSettingsInput: {
            variable?: components["schemas"]["ImportedVariable"] | null;
            description?: (string | null) | null;
            image_url?: (string | null) | null;
            image_alt?: (string | null) | null;
            media_url?: (string | null) | null;
            media_alt?: (string | null) | null;
            media_captions?: ({
                [key: string]: string;
            } | null) | null;
            placeholder?: (string | null) | null;
            shuffle?: ("none" | "random" | "rotate" | "reverse") | null;
            hidden?: boolean | null;
            report_label?: (string | null) | null;
            no_answers?: components["schemas"]["NoAnswers"] | null;
            logic?: components["schemas"]["QuestionLogicInput"] | null;
            translations?: components["schemas"]["QuestionTranslations"] | null;
            rows: components["schemas"]["MatrixSettingsInputRow"][];
            matrix_type?: ("single" | "multiple") | null;
            measure?: ("nominal" | "ordinal" | "scale") | null;
            require_all_rows?: boolean | null;
            shuffle_rows?: boolean | null;
        };
        NewQuestionOfRanking: {
            page_id: number;
            position?: number;
            question_text: string;
            question_code?: string;
            question_required?: boolean;
            question_settings?: components["schemas"]["RankingSettingsInput"] | null;
            options?: (string | components["schemas"]["NewQuestionOfSingleChoiceOption"])[] | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "ranking";
        };
        RankingSettingsInput: {
            variable?: components["schemas"]["ImportedVariable"] | null;
            description?: (string | null) | null;
            image_url?: (string | null) | null;
            image_alt?: (string | null) | null;
            media_url?: (string | null) | null;
            media_alt?: (string | null) | null;
            media_captions?: ({
                [key: string]: string;
            } | null) | null;
            placeholder?: (string | null) | null;
            shuffle?: ("none" | "random" | "rotate" | "reverse") | null;
            hidden?: boolean | null;
            report_label?: (string | null) | null;
            no_answers?: components["schemas"]["NoAnswers"] | null;
            logic?: components["schemas"]["QuestionLogicInput"] | null;
            translations?: components["schemas"]["QuestionTranslations"] | null;
            min_ranked?: (number | null) | null;
            max_ranked?: (number | null) | null;
        };
        NewQuestionOfDate: {
            page_id: number;
            position?: number;
            question_text: string;
            question_code?: string;
            question_required?: boolean;
            question_settings?: components["schemas"]["DateSettingsInput"] | null;
            options?: (string | components["schemas"]["NewQuestionOfSingleChoiceOption"])[] | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "date";
        };
        DateSettingsInput: {
            variable?: components["schemas"]["ImportedVariable"] | null;
            description?: (string | null) | null;
            image_url?: (string | null) | null;
            image_alt?: (string | null) | null;
            media_url?: (string | null) | null;
            media_alt?: (string | null) | null;
            media_captions?: ({
                [key: string]: string;
            } | null) | null;
            placeholder?: (string | null) | null;
            shuffle?: ("none" | "random" | "rotate" | "reverse") | null;
            hidden?: boolean | null;
            report_label?: (string | null) | null;
            no_answers?: components["schemas"]["NoAnswers"] | null;
            logic?: components["schemas"]["QuestionLogicInput"] | null;
            translations?: components["schemas"]["QuestionTranslations"] | null;
            precision?: ("date" | "datetime" | "time" | "month" | "year") | null;
            min?: (string | null) | null;
            max?: (string | null) | null;
        };
        NewQuestionOfNps: {
            page_id: number;
            position?: number;
            question_text: string;
            question_code?: string;
            question_required?: boolean;
            question_settings?: components["schemas"]["NpsSettingsInput"] | null;
            options?: (string | components["schemas"]["NewQuestionOfSingleChoiceOption"])[] | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "nps";
        };
        NpsSettingsInput: {
            variable?: components["schemas"]["ImportedVariable"] | null;
            description?: (string | null) | null;
            image_url?: (string | null) | null;
            image_alt?: (string | null) | null;
            media_url?: (string | null) | null;
            media_alt?: (string | null) | null;
            media_captions?: ({
                [key: string]: string;
            } | null) | null;
            placeholder?: (string | null) | null;
            shuffle?: ("none" | "random" | "rotate" | "reverse") | null;
            hidden?: boolean | null;
            report_label?: (string | null) | null;
            no_answers?: components["schemas"]["NoAnswers"] | null;
            logic?: components["schemas"]["QuestionLogicInput"] | null;
            translations?: components["schemas"]["QuestionTranslations"] | null;
            min_label?: (string | null) | null;
            max_label?: (string | null) | null;
        };
        NewQuestionOfDropdown: {
            page_id: number;
            position?: number;
            question_text: string;
            question_code?: string;
            question_required?: boolean;
            question_settings?: components["schemas"]["DropdownSettingsInput"] | null;
            options?: (string | components["schemas"]["NewQuestionOfSingleChoiceOption"])[] | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "dropdown";
        };
        DropdownSettingsInput: {
            variable?: components["schemas"]["ImportedVariable"] | null;
            description?: (string | null) | null;
            image_url?: (string | null) | null;
            image_alt?: (string | null) | null;
            media_url?: (string | null) | null;
            media_alt?: (string | null) | null;
            media_captions?: ({
                [key: string]: string;
            } | null) | null;
            placeholder?: (string | null) | null;
            shuffle?: ("none" | "random" | "rotate" | "reverse") | null;
            hidden?: boolean | null;
            report_label?: (string | null) | null;
            no_answers?: components["schemas"]["NoAnswers"] | null;
            logic?: components["schemas"]["QuestionLogicInput"] | null;
            translations?: components["schemas"]["QuestionTranslations"] | null;
            display?: ("list" | "buttons" | "cards") | null;
            other_label?: (string | null) | null;
            columns?: number | null;
            searchable?: boolean | null;
            measure?: ("nominal" | "ordinal" | "scale") | null;
        };
        NewQuestionOfSlider: {
            page_id: number;
            position?: number;
            question_text: string;
            question_code?: string;
            question_required?: boolean;
            question_settings?: components["schemas"]["SliderSettingsInput"] | null;
            options?: (string | components["schemas"]["NewQuestionOfSingleChoiceOption"])[] | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "slider";
        };
        SliderSettingsInput: {
            variable?: components["schemas"]["ImportedVariable"] | null;
            description?: (string | null) | null;
            image_url?: (string | null) | null;
            image_alt?: (string | null) | null;
            media_url?: (string | null) | null;
            media_alt?: (string | null) | null;
            media_captions?: ({
                [key: string]: string;
            } | null) | null;
            placeholder?: (string | null) | null;
            shuffle?: ("none" | "random" | "rotate" | "reverse") | null;
            hidden?: boolean | null;
            report_label?: (string | null) | null;
            no_answers?: components["schemas"]["NoAnswers"] | null;
            logic?: components["schemas"]["QuestionLogicInput"] | null;
            translations?: components["schemas"]["QuestionTranslations"] | null;
            min?: number | null;
            max?: number | null;
            step?: number | null;
            start?: number | null;
        };
        NewQuestionOfFileUpload: {
            page_id: number;
            position?: number;
            question_text: string;
            question_code?: string;
            question_required?: boolean;
            question_settings?: components["schemas"]["FileUploadSettingsInput"] | null;
            options?: (string | components["schemas"]["NewQuestionOfSingleChoiceOption"])[] | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "file_upload";
        };
        FileUploadSettingsInput: {
            variable?: components["schemas"]["ImportedVariable"] | null;
            description?: (string | null) | null;
            image_url?: (string | null) | null;
            image_alt?: (string | null) | null;
            media_url?: (string | null) | null;
            media_alt?: (string | null) | null;
            media_captions?: ({
                [key: string]: string;
            } | null) | null;
            placeholder?: (string | null) | null;
            shuffle?: ("none" | "random" | "rotate" | "reverse") | null;
            hidden?: boolean | null;
            report_label?: (string | null) | null;
            no_answers?: components["schemas"]["NoAnswers"] | null;
            logic?: components["schemas"]["QuestionLogicInput"] | null;
            translations?: components["schemas"]["QuestionTranslations"] | null;
            max_files?: number | null;
            max_size_mb?: number | null;
            allowed_extensions?: (string[] | null) | null;
        };
        NewQuestionOfConstantSum: {
            page_id: number;
            position?: number;
            question_text: string;
            question_code?: string;
            question_required?: boolean;
            question_settings?: components["schemas"]["ConstantSumSettingsInput"] | null;
            options?: (string | components["schemas"]["NewQuestionOfSingleChoiceOption"])[] | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "constant_sum";
        };
        ConstantSumSettingsInput: {
            variable?: components["schemas"]["ImportedVariable"] | null;
            description?: (string | null) | null;
            image_url?: (string | null) | null;
            image_alt?: (string | null) | null;
            media_url?: (string | null) | null;
            media_alt?: (string | null) | null;
            media_captions?: ({
                [key: string]: string;
            } | null) | null;
            placeholder?: (string | null) | null;
            shuffle?: ("none" | "random" | "rotate" | "reverse") | null;
            hidden?: boolean | null;
            report_label?: (string | null) | null;
            no_answers?: components["schemas"]["NoAnswers"] | null;
            logic?: components["schemas"]["QuestionLogicInput"] | null;
            translations?: components["schemas"]["QuestionTranslations"] | null;
            total?: number | null;
            total_rule?: ("equal" | "at_most") | null;
            min?: number | null;
            max?: (number | null) | null;
            decimals?: number | null;
            prefix?: (string | null) | null;
            suffix?: (string | null) | null;
        };
        NewQuestionOfCalculated: {
            page_id: number;
            position?: number;
            question_text: string;
            question_code?: string;
            question_required?: boolean;
            question_settings?: components["schemas"]["CalculatedSettingsInput"] | null;
            options?: (string | components["schemas"]["NewQuestionOfSingleChoiceOption"])[] | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "calculated";
        };
        CalculatedSettingsInput: {
            variable?: components["schemas"]["ImportedVariable"] | null;
            description?: (string | null) | null;
            image_url?: (string | null) | null;
            image_alt?: (string | null) | null;
            media_url?: (string | null) | null;
            media_alt?: (string | null) | null;
            media_captions?: ({
                [key: string]: string;
            } | null) | null;
            placeholder?: (string | null) | null;
            shuffle?: ("none" | "random" | "rotate" | "reverse") | null;
            hidden?: boolean | null;
            report_label?: (string | null) | null;
            no_answers?: components["schemas"]["NoAnswers"] | null;
            logic?: components["schemas"]["QuestionLogicInput"] | null;
            translations?: components["schemas"]["QuestionTranslations"] | null;
            expression?: string | null;
            result?: ("number" | "text" | "boolean" | "date") | null;
            decimals?: (number | null) | null;
            prefix?: (string | null) | null;
            suffix?: (string | null) | null;
            yes_label?: (string | null) | null;
            no_label?: (string | null) | null;
        };
        NewQuestionOfStatement: {
            page_id: number;
            position?: number;
            question_text: string;
            question_code?: string;
            question_required?: boolean;
            question_settings?: components["schemas"]["StatementSettingsInput"] | null;
            options?: (string | components["schemas"]["NewQuestionOfSingleChoiceOption"])[] | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "statement";
        };
        StatementSettingsInput: {
            variable?: components["schemas"]["ImportedVariable"] | null;
            description?: (string | null) | null;
            image_url?: (string | null) | null;
            image_alt?: (string | null) | null;
            media_url?: (string | null) | null;
            media_alt?: (string | null) | null;
            media_captions?: ({
                [key: string]: string;
            } | null) | null;
            placeholder?: (string | null) | null;
            shuffle?: ("none" | "random" | "rotate" | "reverse") | null;
            hidden?: boolean | null;
            report_label?: (string | null) | null;
            no_answers?: components["schemas"]["NoAnswers"] | null;
            logic?: components["schemas"]["QuestionLogicInput"] | null;
            translations?: components["schemas"]["QuestionTranslations"] | null;
            min_seconds?: (number | null) | null;
        };
        NewQuestionOfSideBySide: {
            page_id: number;
            position?: number;
            question_text: string;
            question_code?: string;
            question_required?: boolean;
            question_settings: components["schemas"]["SideBySideSettingsInput"];
            options?: (string | components["schemas"]["NewQuestionOfSingleChoiceOption"])[] | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "side_by_side";
        };
        SideBySideSettingsInput: {
            variable?: components["schemas"]["ImportedVariable"] | null;
            description?: (string | null) | null;
            image_url?: (string | null) | null;
            image_alt?: (string | null) | null;
            media_url?: (string | null) | null;
            media_alt?: (string | null) | null;
            media_captions?: ({
                [key: string]: string;
            } | null) | null;
            placeholder?: (string | null) | null;
            shuffle?: ("none" | "random" | "rotate" | "reverse") | null;
            hidden?: boolean | null;
            report_label?: (string | null) | null;
            no_answers?: components["schemas"]["NoAnswers"] | null;
            logic?: components["schemas"]["QuestionLogicInput"] | null;
            translations?: components["schemas"]["QuestionTranslations"] | null;
            rows: components["schemas"]["SideBySideSettingsInputRow"][];
            columns: (components["schemas"]["SideBySideSettingsInputColumnSingleChoice"] | components["schemas"]["SideBySideSettingsInputColumnMultipleChoice"] | components["schemas"]["SideBySideSettingsInputColumnDropdown"] | components["schemas"]["SideBySideSettingsInputColumnScale"] | components["schemas"]["SideBySideSettingsInputColumnNumber"] | components["schemas"]["SideBySideSettingsInputColumnText"])[];
        };
        UpdateQuestionRequest: {
            page_id?: number;
            position?: number;
            /** @enum {string} */
            question_type?: "single_choice" | "multiple_choice" | "text" | "number" | "scale" | "matrix" | "ranking" | "date" | "nps" | "dropdown" | "slider" | "file_upload" | "constant_sum" | "calculated" | "statement" | "side_by_side";
            question_text?: string;
            question_code?: string;
            question_required?: boolean;
            question_settings?: components["schemas"]["QuestionSettingsChanges"] | null;
            options?: (string | components["schemas"]["NewQuestionOfSingleChoiceOption"])[] | null;
            confirmed_translations?: components["schemas"]["ConfirmedTranslations"] | null;
            question_id?: unknown;
            outdated_translations?: unknown;
            etag?: unknown;
            retired?: boolean;
        };
        ReorderQuestionsRequest: {
            question_ids: number[];
        };
        AddSurveyImageUpload: {
            /** Format: binary */
            image: string;
        };
        AddSurveyMediaUpload: {
            /** Format: binary */
            media: string;
        };
        SubmitResponseRequest: {
            submission_id?: string;
            client_secret?: string;
            answers: components["schemas"]["Answers"];
            /** @enum {string} */
            status?: "complete" | "partial";
            language?: string;
            external_id?: string;
            hidden?: {
                [key: string]: string;
            };
            consent?: boolean;
            fingerprint?: string;
            opened?: string;
            signed_at?: string | number;
            signature?: string;
            previous_answers?: components["schemas"]["Answers"];
        };
        SaveResponsePageRequest: {
            answers: components["schemas"]["Answers"];
            page_id?: number;
            page_seconds?: number;
        };
        MoveResponseRequest: {
            client_secret: string;
            consent?: boolean;
        };
        CompleteResponseRequest: {
            answers?: components["schemas"]["Answers"];
        };
        UploadResponseFileUpload: {
            question_code: string;
            /** Format: binary */
            file: string;
        };
        ChangeLinksRequest: {
            /** @enum {string} */
            action: "create" | "pause" | "activate" | "delete";
            survey_id: number;
            link_ids?: number[];
            links?: components["schemas"]["ChangeLinksRequestLink"][];
            count?: number;
            /** @enum {string} */
            link_type?: "open" | "unique" | "panel";
            link_name?: string;
            link_slug?: string | null;
            link_quota?: number | null;
            expires_at?: string | null;
            wave_id?: number | null;
            redirects?: components["schemas"]["ChangeLinksRequestLinkRedirects"] | null;
            requires_signature?: boolean;
        };
        CreateSurveyLinkRequest: {
            /** @enum {string} */
            link_type?: "open" | "unique" | "panel";
            link_name?: string;
            link_slug?: string | null;
            link_quota?: number | null;
            expires_at?: string | null;
            wave_id?: number | null;
            redirects?: components["schemas"]["ChangeLinksRequestLinkRedirects"] | null;
            requires_signature?: boolean;
        };
        UpdateSurveyLinkRequest: {
            link_name?: string;
            link_slug?: string | null;
            link_quota?: number | null;
            expires_at?: string | null;
            wave_id?: number | null;
            redirects?: components["schemas"]["ChangeLinksRequestLinkRedirects"] | null;
            requires_signature?: boolean;
            /** @enum {string} */
            link_status?: "active" | "paused" | "full" | "closed" | "expired";
            /** @enum {string} */
            link_type?: "open" | "unique" | "panel";
            link_id?: unknown;
            survey_id?: unknown;
            link_token?: unknown;
            link_url?: unknown;
            response_count?: unknown;
            complete_count?: unknown;
            signing_key_created_at?: unknown;
            entry_mismatch_count?: unknown;
            exit_mismatch_count?: unknown;
            created_at?: unknown;
        };
        InviteToSurveyRequest: {
            respondents?: components["schemas"]["InviteToSurveyRequestRespondent"][];
            respondent_ids?: number[];
            link_id: number;
            subject?: string;
            message?: string;
            reminders?: components["schemas"]["InviteToSurveyRequestReminder"][];
            /** Format: date-time */
            send_at?: ((string | null) | null) | string | null;
            dry_run?: boolean;
        };
        PreviewInvitationRequest: {
            subject?: string;
            message?: string;
            recipient?: components["schemas"]["PreviewRecipient"];
            send?: boolean;
        };
        PreviewRecipient: {
            name?: string | null;
            email?: string;
            language?: string | null;
            attributes?: {
                [key: string]: string | number | boolean;
            };
        };
        ResendInvitationsRequest: {
            respondent_ids?: number[];
            /** @enum {string} */
            only?: "not_started" | "partial";
            subject?: string;
            message?: string;
            /** Format: date-time */
            send_at?: ((string | null) | null) | string | null;
            dry_run?: boolean;
        };
        ReportBounceRequest: {
            reason?: string;
        };
        CreateRespondentRequest: {
            workspace_id?: number;
            email?: string | null;
            name?: string | null;
            external_id?: string | null;
            language?: string | null;
            attributes?: {
                [key: string]: string | number | boolean;
            } | null;
            opted_out?: boolean;
            respondent_id?: unknown;
            last_invited_at?: unknown;
            completed_count?: unknown;
            created_at?: unknown;
        };
        UpdateRespondentRequest: {
            email?: string | null;
            name?: string | null;
            external_id?: string | null;
            language?: string | null;
            attributes?: {
                [key: string]: string | number | boolean;
            } | null;
            opted_out?: boolean;
            respondent_id?: unknown;
            last_invited_at?: unknown;
            completed_count?: unknown;
            created_at?: unknown;
        };
        ImportRespondentsUpload: {
            workspace_id?: number;
            /** @enum {string} */
            format?: "csv" | "xlsx" | "sav";
            /** @enum {string} */
            delimiter?: "," | ";" | "tab" | "|" | "auto";
            /** @enum {string} */
            encoding?: "utf-8" | "utf-16le" | "utf-16be" | "windows-1250" | "windows-1251" | "windows-1252" | "windows-1253" | "windows-1254" | "windows-1255" | "windows-1256" | "windows-1257" | "windows-1258" | "windows-874" | "iso-8859-1" | "iso-8859-2" | "iso-8859-3" | "iso-8859-4" | "iso-8859-5" | "iso-8859-6" | "iso-8859-7" | "iso-8859-8" | "iso-8859-9" | "iso-8859-10" | "iso-8859-13" | "iso-8859-14" | "iso-8859-15" | "koi8-r" | "koi8-u" | "macintosh" | "x-mac-cyrillic" | "ibm866" | "shift_jis" | "euc-jp" | "iso-2022-jp" | "gbk" | "gb18030" | "big5" | "euc-kr" | "iso-8859-11" | "iso-8859-16" | "cp437" | "cp720" | "cp737" | "cp775" | "cp850" | "cp852" | "cp855" | "cp856" | "cp857" | "cp858" | "cp860" | "cp861" | "cp862" | "cp863" | "cp864" | "cp865" | "cp869" | "macgreek" | "macturkish" | "maccenteuro" | "maccroatian" | "maciceland";
            /** @enum {string} */
            dry_run?: "true" | "false";
            /** @enum {string} */
            update_existing?: "true" | "false";
            column_names?: string;
            /** @enum {string} */
            atomic?: "true" | "false";
            /** Format: binary */
            file: string;
        };
        CreateWaveRequest: {
            survey_id: number;
            wave_name: string;
            wave_start_date?: string | null;
            wave_end_date?: string | null;
            target?: number | null;
        };
        SetWaveQuotasRequest: {
            quotas: components["schemas"]["SetWaveQuotasRequestQuota"][];
            dry_run?: boolean;
            wave_id?: unknown;
            survey_id?: unknown;
        };
        UpdateWaveRequest: {
            wave_name?: string;
            wave_start_date?: string | null;
            wave_end_date?: string | null;
            target?: number | null;
            survey_id?: number;
            wave_id?: unknown;
            wave_status?: unknown;
            completed?: unknown;
            created_at?: unknown;
        };
        AddResponsesRequest: {
            rows: components["schemas"]["AddResponsesRequestRow"][];
            atomic?: boolean;
        };
        EditResponseRequest: {
            values: {
                [key: string]: unknown;
            };
            reason?: string;
            dry_run?: boolean;
        };
        EditResponsesRequest: {
            rows: components["schemas"]["EditResponsesRequestRow"][];
            atomic?: boolean;
            reason?: string;
            dry_run?: boolean;
        };
        ChangeResponsesRequest: {
            /** @enum {string} */
            action: "delete" | "set_status" | "flag" | "leave_out" | "unflag";
            response_ids?: number[];
            filter?: components["schemas"]["Filter"] | null;
            filters?: components["schemas"]["Filter"] | null;
            /** @enum {string} */
            status?: "complete" | "partial" | "screened_out";
            reason?: string;
            dry_run?: boolean;
        };
        Filter: string | {
            [key: string]: components["schemas"]["JsonValue"];
        };
        FindAndReplaceRequest: {
            column_code?: string;
            column_codes?: string[];
            find: string;
            replace: string;
            match_case?: boolean;
            match_entire_cell?: boolean;
            response_ids?: number[];
            filter?: components["schemas"]["Filter"] | null;
            filters?: components["schemas"]["Filter"] | null;
            reason?: string;
            dry_run?: boolean;
        };
        RestoreOriginalsRequest: {
            response_ids?: number[];
            filter?: components["schemas"]["Filter"] | null;
            filters?: components["schemas"]["Filter"] | null;
            column_codes?: string[];
            reason?: string;
            dry_run?: boolean;
        };
        CheckQualityRequest: {
            speeder?: components["schemas"]["CreateSurveyRequestQualitySettingsSpeeder"] | null;
            straightliner?: components["schemas"]["CreateSurveyRequestQualitySettingsStraightliner"] | null;
            duplicate?: components["schemas"]["CreateSurveyRequestQualitySettingsDuplicate"] | null;
            open_end?: components["schemas"]["CreateSurveyRequestQualitySettingsOpenEnd"] | null;
            attention_checks?: components["schemas"]["CreateSurveyRequestQualitySettingsAttentionCheck"][] | null;
            action?: ("flag" | "screen_out") | null;
            filter?: components["schemas"]["Filter"] | null;
            filters?: components["schemas"]["Filter"] | null;
            status?: ("complete" | "partial" | "screened_out")[];
            include_test?: boolean | null;
            checks?: ("speeder" | "straightliner" | "duplicate" | "open_end" | "attention_check")[];
            dry_run?: boolean;
            limit?: number;
        };
        ReviewQualityFlagsRequest: {
            response_ids?: number[];
            filter?: components["schemas"]["Filter"] | null;
            filters?: components["schemas"]["Filter"] | null;
            status?: ("complete" | "partial" | "screened_out")[];
            /** @enum {string} */
            check?: "speeder" | "straightliner" | "duplicate" | "open_end" | "attention_check" | "manual";
            /** @enum {string} */
            review: "pending" | "confirmed" | "dismissed";
            reason?: string;
            dry_run?: boolean;
        };
        AddCommentRequest: {
            response_id: number;
            comment_text: string;
        };
        ExportResponsesRequest: {
            /** @enum {string} */
            format?: "csv" | "xlsx" | "spss";
            filters?: components["schemas"]["Filter"] | null;
            filter?: components["schemas"]["Filter"] | null;
            columns?: string[];
            /** @enum {string} */
            values?: "code" | "label" | "both";
            /** @enum {string} */
            headers?: "code" | "label" | "both";
            /** @enum {string} */
            multiple?: "columns" | "set" | "both";
            status?: ("complete" | "partial" | "screened_out")[];
            include_test?: boolean | null;
            /** @enum {string} */
            quality?: "exclude_confirmed" | "include_all";
            /** Format: date-time */
            updated_since?: string;
            stack?: string;
            include_deleted?: boolean;
            weight_column?: string;
            weight?: string;
            timezone?: string;
            /** @enum {string} */
            string_width?: "data" | "settings";
            /** @enum {string} */
            delimiter?: "," | ";" | "\t" | "|";
            bom?: boolean;
            escape_formulas?: boolean;
        };
        ImportResponsesUpload: {
            workspace_id?: number;
            /** @enum {string} */
            format?: "csv" | "xlsx" | "sav";
            /** @enum {string} */
            delimiter?: "," | ";" | "tab" | "|" | "auto";
            /** @enum {string} */
            encoding?: "utf-8" | "utf-16le" | "utf-16be" | "windows-1250" | "windows-1251" | "windows-1252" | "windows-1253" | "windows-1254" | "windows-1255" | "windows-1256" | "windows-1257" | "windows-1258" | "windows-874" | "iso-8859-1" | "iso-8859-2" | "iso-8859-3" | "iso-8859-4" | "iso-8859-5" | "iso-8859-6" | "iso-8859-7" | "iso-8859-8" | "iso-8859-9" | "iso-8859-10" | "iso-8859-13" | "iso-8859-14" | "iso-8859-15" | "koi8-r" | "koi8-u" | "macintosh" | "x-mac-cyrillic" | "ibm866" | "shift_jis" | "euc-jp" | "iso-2022-jp" | "gbk" | "gb18030" | "big5" | "euc-kr" | "iso-8859-11" | "iso-8859-16" | "cp437" | "cp720" | "cp737" | "cp775" | "cp850" | "cp852" | "cp855" | "cp856" | "cp857" | "cp858" | "cp860" | "cp861" | "cp862" | "cp863" | "cp864" | "cp865" | "cp869" | "macgreek" | "macturkish" | "maccenteuro" | "maccroatian" | "maciceland";
            missing_values?: string;
            /** @enum {string} */
            decimal?: "." | ",";
            /** @enum {string} */
            unescape_formulas?: "auto" | "true" | "false";
            /** @enum {string} */
            layout?: "auto" | "plain" | "qualtrics" | "surveymonkey" | "limesurvey";
            timezone?: string;
            /** @enum {string} */
            dry_run?: "true" | "false";
            /** @enum {string} */
            values?: "code" | "label" | "auto";
            /** @enum {string} */
            atomic?: "true" | "false";
            /** @enum {string} */
            invalid_cells?: "error" | "empty";
            /** @enum {string} */
            on_existing?: "skip" | "update" | "error";
            /** @enum {string} */
            status?: "complete" | "partial" | "screened_out";
            /** Format: binary */
            file: string;
        };
        SeedResponsesRequest: {
            count?: number;
            seed?: number;
        };
        CrosstabResponsesRequest: {
            rows: (string | string[])[];
            columns?: (string | string[])[];
            weight?: string;
            weight_column?: string;
            filter?: components["schemas"]["Filter"] | null;
            filters?: components["schemas"]["Filter"] | null;
            status?: ("complete" | "partial" | "screened_out")[];
            include_test?: boolean | null;
            /** @enum {string} */
            quality?: "exclude_confirmed" | "include_all";
            /** @enum {string} */
            base?: "answering" | "shown" | "all";
            statistics?: "all" | ("column_percent" | "row_percent" | "total_percent" | "chi_square" | "letters" | "means" | "tests")[];
            min_base?: number;
            /** @enum {string} */
            correction?: "none" | "bonferroni" | "holm" | "fdr";
            test_levels?: number[];
            compare_with?: ("columns" | "total" | "rest" | "previous_wave" | "year_before")[];
            overlapping_columns?: boolean;
            intervals?: boolean;
            level?: number;
            design?: boolean;
            /** @enum {string} */
            share_method?: "wilson" | "logit" | "beta";
            max_groups?: number;
            max_row_groups?: number;
            row_statistics?: ("mean" | "median" | "sd" | "se" | "sum" | "nps" | "top_1" | "top_2" | "top_3" | "bottom_1" | "bottom_2" | "bottom_3" | "index")[];
            /** @enum {string} */
            sort?: "questionnaire" | "highest" | "lowest" | "label";
            /** @enum {string} */
            small_columns?: "show" | "hide" | "merge";
            small_column_limit?: number;
            nets?: components["schemas"]["CrosstabResponsesRequestNet"][];
        };
        CorrelateResponsesRequest: {
            columns: string[];
            weight?: string;
            weight_column?: string;
            filter?: components["schemas"]["Filter"] | null;
            filters?: components["schemas"]["Filter"] | null;
            status?: ("complete" | "partial" | "screened_out")[];
            include_test?: boolean | null;
            /** @enum {string} */
            quality?: "exclude_confirmed" | "include_all";
            /** @enum {string} */
            method?: "pearson" | "spearman";
            /** @enum {string} */
            missing?: "pairwise" | "listwise";
        };
        ComputeReliabilityRequest: {
            columns: string[];
            weight?: string;
            weight_column?: string;
            filter?: components["schemas"]["Filter"] | null;
            filters?: components["schemas"]["Filter"] | null;
            status?: ("complete" | "partial" | "screened_out")[];
            include_test?: boolean | null;
            /** @enum {string} */
            quality?: "exclude_confirmed" | "include_all";
            reversed?: string[];
            /** @enum {string} */
            missing?: "pairwise" | "listwise" | "median";
        };
        RecodeColumnsRequest: {
            column_code?: string;
            column_codes?: string[];
            target_column_code?: string;
            label?: string;
            overwrite?: boolean;
            filter?: components["schemas"]["Filter"] | null;
            filters?: components["schemas"]["Filter"] | null;
            reason?: string;
            dry_run?: boolean;
            rules?: components["schemas"]["RecodeColumnsRequestRule"][];
            mapping?: {
                [key: string]: string | number | null;
            };
            /** @enum {string} */
            measure?: "nominal" | "ordinal" | "scale";
        };
        NormalizeColumnsRequest: {
            column_code?: string;
            column_codes?: string[];
            target_column_code?: string;
            label?: string;
            overwrite?: boolean;
            filter?: components["schemas"]["Filter"] | null;
            filters?: components["schemas"]["Filter"] | null;
            reason?: string;
            dry_run?: boolean;
            /** @enum {string} */
            parameters?: "live" | "frozen";
            /** @enum {string} */
            outside?: "clip" | "missing";
        };
        StandardizeColumnsRequest: {
            column_code?: string;
            column_codes?: string[];
            target_column_code?: string;
            label?: string;
            overwrite?: boolean;
            filter?: components["schemas"]["Filter"] | null;
            filters?: components["schemas"]["Filter"] | null;
            reason?: string;
            dry_run?: boolean;
            /** @enum {string} */
            parameters?: "live" | "frozen";
            weight_column?: string;
            weight?: string;
        };
        WinsorizeColumnsRequest: {
            column_code?: string;
            column_codes?: string[];
            target_column_code?: string;
            label?: string;
            overwrite?: boolean;
            filter?: components["schemas"]["Filter"] | null;
            filters?: components["schemas"]["Filter"] | null;
            reason?: string;
            dry_run?: boolean;
            /** @enum {string} */
            parameters?: "live" | "frozen";
            lower_percentile?: number;
            upper_percentile?: number;
            lower_bound?: number;
            upper_bound?: number;
        };
        BinColumnsRequest: {
            column_code?: string;
            column_codes?: string[];
            target_column_code?: string;
            label?: string;
            overwrite?: boolean;
            filter?: components["schemas"]["Filter"] | null;
            filters?: components["schemas"]["Filter"] | null;
            reason?: string;
            dry_run?: boolean;
            /** @enum {string} */
            method?: "equal_width" | "equal_frequency" | "custom";
            bins?: number;
            breaks?: number[];
            labels?: string[];
        };
        CleanTextsRequest: {
            column_code?: string;
            column_codes?: string[];
            target_column_code?: string;
            label?: string;
            overwrite?: boolean;
            filter?: components["schemas"]["Filter"] | null;
            filters?: components["schemas"]["Filter"] | null;
            reason?: string;
            dry_run?: boolean;
            operations: ("trim" | "lowercase" | "uppercase" | "remove_punctuation" | "collapse_whitespace" | "strip_html" | "nfc")[];
        };
        AddComputedColumnRequest: {
            column_code: string;
            label?: string;
            expression: string;
            /** @enum {string} */
            type?: "number" | "text" | "boolean" | "date";
            reason?: string;
            dry_run?: boolean;
        };
        ChangeDerivedColumnRequest: {
            label?: string;
            values?: components["schemas"]["ChangeDerivedColumnRequestValue"][];
            rules?: components["schemas"]["RecodeColumnsRequestRule"][];
            mapping?: {
                [key: string]: string | number | null;
            };
            /** @enum {string} */
            measure?: "nominal" | "ordinal" | "scale";
            /** @enum {string} */
            parameters?: "live" | "frozen";
            /** @enum {string} */
            outside?: "clip" | "missing";
            weight_column?: string | null;
            lower_percentile?: number;
            upper_percentile?: number;
            lower_bound?: number | null;
            upper_bound?: number | null;
            /** @enum {string} */
            method?: "equal_width" | "equal_frequency" | "custom";
            bins?: number;
            breaks?: number[];
            labels?: string[];
            operations?: ("trim" | "lowercase" | "uppercase" | "remove_punctuation" | "collapse_whitespace" | "strip_html" | "nfc")[];
            expression?: string;
            /** @enum {string} */
            type?: "number" | "text" | "boolean" | "date";
            filter?: components["schemas"]["Filter"] | null;
            filters?: components["schemas"]["Filter"] | null;
            reason?: string;
            dry_run?: boolean;
        };
        PreviewWeightingRequest: {
            filter?: components["schemas"]["Filter"] | null;
            filters?: components["schemas"]["Filter"] | null;
            status?: ("complete" | "partial" | "screened_out")[];
            include_test?: boolean | null;
            /** @enum {string} */
            quality?: "exclude_confirmed" | "include_all";
            dimensions: components["schemas"]["PreviewWeightingRequestDimension"][];
            /** @enum {string} */
            target_type?: "percent" | "proportion" | "count";
            base_weight_column?: string;
            max_iterations?: number;
            tolerance?: number;
            min_weight?: number;
            max_weight?: number;
            /** @enum {string} */
            missing?: "keep_share" | "exclude" | "error";
            scale_to?: "sample" | number;
            allow_unconverged?: boolean;
            name?: string;
            column_code?: string;
        };
        CreateWeightingRequest: {
            filter?: components["schemas"]["Filter"] | null;
            filters?: components["schemas"]["Filter"] | null;
            status?: ("complete" | "partial" | "screened_out")[];
            include_test?: boolean | null;
            /** @enum {string} */
            quality?: "exclude_confirmed" | "include_all";
            dimensions: components["schemas"]["PreviewWeightingRequestDimension"][];
            /** @enum {string} */
            target_type?: "percent" | "proportion" | "count";
            base_weight_column?: string;
            max_iterations?: number;
            tolerance?: number;
            min_weight?: number;
            max_weight?: number;
            /** @enum {string} */
            missing?: "keep_share" | "exclude" | "error";
            scale_to?: "sample" | number;
            allow_unconverged?: boolean;
            name?: string;
            column_code?: string;
            auto_refresh?: boolean;
            dry_run?: boolean;
            reason?: string;
        };
        RefreshWeightRequest: {
            dry_run?: boolean;
            reason?: string;
        };
        CreateDashboardRequest: {
            dashboard_name: string;
            dashboard_slug?: string;
            workspace_id?: number;
            dashboard_description?: string | null;
            dashboard_settings?: components["schemas"]["CreateDashboardRequestDashboardSettings"] | null;
        };
        UpdateDashboardRequest: {
            dashboard_name?: string;
            dashboard_slug?: string;
            workspace_id?: number;
            dashboard_description?: string | null;
            dashboard_settings?: components["schemas"]["CreateDashboardRequestDashboardSettings"] | null;
            dashboard_id?: unknown;
            organization_slug?: unknown;
            open_to?: unknown;
            public_url?: unknown;
            revision?: unknown;
            created_at?: unknown;
            updated_at?: unknown;
            my_role?: unknown;
            page_count?: unknown;
            chart_count?: unknown;
            deleted_at?: unknown;
            pages?: unknown;
            charts?: unknown;
        };
        DuplicateDashboardRequest: {
            dashboard_name?: string;
        };
        CreateDashboardPageRequest: {
            page_title?: string | null;
        };
        ReorderDashboardPagesRequest: {
            page_ids: number[];
        };
        UpdateDashboardPageRequest: {
            page_title?: string | null;
            page_id?: unknown;
            chart_ids?: unknown;
        };
        NewDashboardChart: components["schemas"]["FigureNewDashboardChart"] | components["schemas"]["TextNewDashboardChart"] | components["schemas"]["FilterNewDashboardChart"] | components["schemas"]["VariableNewDashboardChart"];
        FigureNewDashboardChart: {
            page_id: number;
            chart_title?: string | null;
            position?: components["schemas"]["ChartPosition"] | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            chart_type: "bar" | "horizontal-bar" | "stacked-bar" | "line" | "area" | "line-bar" | "pie" | "donut" | "histogram" | "radar" | "gauge" | "kpi" | "table";
            chart_config: components["schemas"]["FigureChartConfig"];
        };
        ChartPosition: {
            x: number;
            y: number;
            w: number;
            h: number;
        };
        FigureChartConfig: {
            survey_id?: number;
            dimension: string | number | components["schemas"]["ColumnReference"];
            series?: string | number | components["schemas"]["ColumnReference"];
            aggregation?: ("count" | "percent" | "mean" | "sum" | "median" | "min" | "max" | "nps" | "top_box" | "rank_summary") | components["schemas"]["Aggregation"];
            line_aggregation?: ("count" | "percent" | "mean" | "sum" | "median" | "min" | "max" | "nps" | "top_box" | "rank_summary") | components["schemas"]["Aggregation"];
            weight_column?: string;
            filter?: components["schemas"]["ChartFilter"] | null;
            include_test?: boolean | null;
            /** @enum {string} */
            quality?: "exclude_confirmed" | "include_all";
            compare?: components["schemas"]["ChartComparison"];
            nets?: components["schemas"]["Net"][];
            options?: components["schemas"]["ChartOptions"];
        };
        ColumnReference: {
            question_id?: number;
            column_code?: string;
            /** @enum {string} */
            period?: "day" | "week" | "month" | "quarter" | "year";
        };
        Aggregation: {
            /** @enum {string} */
            function: "count" | "percent" | "mean" | "sum" | "median" | "min" | "max" | "nps" | "top_box" | "rank_summary";
            column_code?: string;
            n?: number;
            value?: (string | number) | (string | number)[];
        };
        ChartFilter: string | {
            [key: string]: components["schemas"]["JsonValue"];
        };
        ChartComparison: {
            /** @constant */
            letters: true;
            level?: 0.95 | 0.9;
        };
        Net: {
            label: string;
            values: (string | number)[];
        };
        ChartOptions: {
            /** @enum {string} */
            sort?: "original" | "value_desc" | "value_asc" | "label";
            limit?: number;
            show_rest?: boolean;
            show_values?: boolean;
            colors?: string[];
            decimals?: number;
            /** @enum {string} */
            base?: "answering" | "shown" | "total";
            stacked_percent?: boolean;
            bins?: ("auto" | "none") | number;
        };
        TextNewDashboardChart: {
            page_id: number;
            chart_title?: string | null;
            position?: components["schemas"]["ChartPosition"] | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            chart_type: "text";
            chart_config: components["schemas"]["TextChartConfig"];
        };
        TextChartConfig: {
            text: string;
        };
        FilterNewDashboardChart: {
            page_id: number;
            chart_title?: string | null;
            position?: components["schemas"]["ChartPosition"] | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            chart_type: "filter";
            chart_config: components["schemas"]["FilterChartConfig"];
        };
        FilterChartConfig: {
            survey_id?: number;
            filterElement: components["schemas"]["FilterChartConfigFilterElement"];
        };
        VariableNewDashboardChart: {
            page_id: number;
            chart_title?: string | null;
            position?: components["schemas"]["ChartPosition"] | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            chart_type: "variable";
            chart_config: components["schemas"]["VariableChartConfig"];
        };
        VariableChartConfig: {
            survey_id?: number;
            dimension: string | number | components["schemas"]["ColumnReference"];
            variable: ("base" | "count" | "sum" | "mean") | components["schemas"]["VariableMetric"];
            weight_column?: string;
            filter?: components["schemas"]["ChartFilter"] | null;
            include_test?: boolean | null;
            /** @enum {string} */
            quality?: "exclude_confirmed" | "include_all";
        };
        VariableMetric: {
            /** @enum {string} */
            metric: "base" | "count" | "sum" | "mean";
            value?: string | number;
            column_code?: string;
            prefix?: string;
            suffix?: string;
            decimals?: number;
            /** @constant */
            compare_to?: "previous_wave";
            /** @enum {string} */
            sparkline?: "day" | "week" | "month" | "wave";
        };
        ReorderDashboardChartsRequest: {
            chart_ids?: number[];
            charts?: components["schemas"]["ReorderDashboardChartsRequestChart"][];
        };
        UpdateDashboardChartRequest: {
            page_id?: number;
            /** @enum {string} */
            chart_type?: "bar" | "horizontal-bar" | "stacked-bar" | "line" | "area" | "line-bar" | "pie" | "donut" | "histogram" | "radar" | "gauge" | "kpi" | "table" | "text" | "filter" | "variable";
            chart_title?: string | null;
            chart_config?: components["schemas"]["ChartConfig"];
            position?: components["schemas"]["ChartPosition"] | null;
            chart_id?: unknown;
            survey_deleted?: unknown;
        };
        ChartQuery: {
            chart_id?: number;
            survey_id?: number;
            question_id?: number;
            /** @enum {string} */
            chart_type?: "bar" | "horizontal-bar" | "stacked-bar" | "line" | "area" | "line-bar" | "pie" | "donut" | "histogram" | "radar" | "gauge" | "kpi" | "table" | "text" | "filter" | "variable";
            chart_config?: components["schemas"]["ChartConfig"];
            filters?: components["schemas"]["ChartFilter"] | null;
            dimension?: string | number | components["schemas"]["ColumnReference"];
            series?: string | number | components["schemas"]["ColumnReference"];
            aggregation?: ("count" | "percent" | "mean" | "sum" | "median" | "min" | "max" | "nps" | "top_box" | "rank_summary") | components["schemas"]["Aggregation"];
            line_aggregation?: ("count" | "percent" | "mean" | "sum" | "median" | "min" | "max" | "nps" | "top_box" | "rank_summary") | components["schemas"]["Aggregation"];
            weight_column?: string;
            filter?: components["schemas"]["ChartFilter"] | null;
            include_test?: boolean | null;
            /** @enum {string} */
            quality?: "exclude_confirmed" | "include_all";
            compare?: components["schemas"]["ChartComparison"];
            nets?: components["schemas"]["Net"][];
            options?: components["schemas"]["ChartOptions"];
            text?: string;
            filterElement?: components["schemas"]["FilterChartConfigFilterElement"];
            variable?: ("base" | "count" | "sum" | "mean") | components["schemas"]["VariableMetric"];
            weight?: string;
        };
        ChartConfig: components["schemas"]["FigureChartConfig"] | components["schemas"]["TextChartConfig"] | components["schemas"]["FilterChartConfig"] | components["schemas"]["VariableChartConfig"];
        GetChartDataBatchRequest: {
            charts: components["schemas"]["ChartQuery"][];
            filters?: components["schemas"]["ChartFilter"] | null;
        };
        CreateDashboardShareRequest: {
            /** @enum {string} */
            share_type: "public" | "password" | "user" | "group";
            share_password?: string;
            user_id?: number;
            group_id?: number;
        };
        UnlockPublicDashboardRequest: {
            password: string;
        };
        GetPublicChartDataRequest: {
            chart_id?: number;
            survey_id?: number;
            question_id?: number;
            /** @enum {string} */
            chart_type?: "bar" | "horizontal-bar" | "stacked-bar" | "line" | "area" | "line-bar" | "pie" | "donut" | "histogram" | "radar" | "gauge" | "kpi" | "table" | "text" | "filter" | "variable";
            filters?: components["schemas"]["DashboardFilters"] | null;
        };
        DashboardFilters: {
            [key: string]: (string | number) | (string | number)[];
        };
        GetPublicChartDataBatchRequest: {
            charts: components["schemas"]["GetPublicChartDataRequest"][];
            filters?: components["schemas"]["DashboardFilters"] | null;
        };
        CreateReportRequest: {
            report_name: string;
            workspace_id?: number;
            report_description?: string | null;
            report_settings?: components["schemas"]["CreateReportRequestReportSettings"] | null;
        };
        UpdateReportRequest: {
            report_name?: string;
            workspace_id?: number;
            report_description?: string | null;
            report_settings?: components["schemas"]["CreateReportRequestReportSettings"] | null;
            report_id?: unknown;
            deleted_at?: unknown;
            revision?: unknown;
            slide_count?: unknown;
            created_at?: unknown;
            updated_at?: unknown;
            my_role?: unknown;
            slides?: unknown;
        };
        DuplicateReportRequest: {
            report_name?: string;
        };
        CreateReportFromDashboardRequest: {
            dashboard_id: number;
            report_name?: string;
            workspace_id?: number;
            linked?: boolean;
        };
        NewReportSlide: components["schemas"]["TitleNewReportSlide"] | components["schemas"]["SectionNewReportSlide"] | components["schemas"]["TextNewReportSlide"] | components["schemas"]["ChartNewReportSlide"] | components["schemas"]["TableNewReportSlide"] | components["schemas"]["ImageNewReportSlide"] | components["schemas"]["KeyFiguresNewReportSlide"] | components["schemas"]["AppendixNewReportSlide"];
        TitleNewReportSlide: {
            slide_title?: string | null;
            position?: number;
            slide_order?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            slide_type: "TitleNewReportSlide";
            slide_content: components["schemas"]["TitleSlideContent"];
        };
        TitleSlideContent: {
            subtitle?: string;
            notes?: string;
        };
        SectionNewReportSlide: {
            slide_title?: string | null;
            position?: number;
            slide_order?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            slide_type: "section";
            slide_content: components["schemas"]["SectionSlideContent"];
        };
        SectionSlideContent: {
            subtitle?: string;
            notes?: string;
        };
        TextNewReportSlide: {
            slide_title?: string | null;
            position?: number;
            slide_order?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            slide_type: "text";
            slide_content: components["schemas"]["TextSlideContent"];
        };
        TextSlideContent: {
            text: string;
            notes?: string;
        };
        ChartNewReportSlide: {
            slide_title?: string | null;
            position?: number;
            slide_order?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            slide_type: "chart";
            slide_content: components["schemas"]["ChartSlideContent"];
        };
        ChartSlideContent: {
            charts: (components["schemas"]["SlideChartReference"] | components["schemas"]["ChartSlideContentChart"])[];
            text?: string;
            notes?: string;
        };
        SlideChartReference: {
            chart_id: number;
            title?: string;
        };
        TableNewReportSlide: {
            slide_title?: string | null;
            position?: number;
            slide_order?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            slide_type: "table";
            slide_content: components["schemas"]["TableSlideContent"];
        };
        TableSlideContent: {
            survey_id: number;
            rows: (string | string[])[];
            columns?: (string | string[])[];
            nets?: components["schemas"]["TableSlideContentNet"][];
            /** @enum {string} */
            show?: "column_percent" | "row_percent" | "count";
            letters?: boolean;
            means?: boolean;
            /** @enum {string} */
            base?: "answering" | "shown" | "all";
            weight_column?: string;
            filter?: components["schemas"]["ChartFilter"] | null;
            include_test?: boolean | null;
            /** @enum {string} */
            quality?: "exclude_confirmed" | "include_all";
            notes?: string;
        };
        ImageNewReportSlide: {
            slide_title?: string | null;
            position?: number;
            slide_order?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            slide_type: "image";
            slide_content: components["schemas"]["ImageSlideContent"];
        };
        ImageSlideContent: {
            image_id: number;
            alt?: string;
            caption?: string;
            notes?: string;
        };
        KeyFiguresNewReportSlide: {
            slide_title?: string | null;
            position?: number;
            slide_order?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            slide_type: "key-figures";
            slide_content: components["schemas"]["KeyFiguresSlideContent"];
        };
        KeyFiguresSlideContent: {
            figures: (components["schemas"]["SlideChartReference"] | components["schemas"]["KeyFiguresSlideContentFigure"])[];
            text?: string;
            notes?: string;
        };
        AppendixNewReportSlide: {
            slide_title?: string | null;
            position?: number;
            slide_order?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            slide_type: "appendix";
            slide_content: components["schemas"]["AppendixSlideContent"];
        };
        AppendixSlideContent: {
            survey_ids?: number[];
            parts?: ("sample" | "field" | "weighting" | "questions")[];
            notes?: string;
        };
        ReorderReportSlidesRequest: {
            slide_ids: number[];
        };
        UpdateReportSlideRequest: {
            /** @enum {string} */
            slide_type?: "title" | "section" | "text" | "chart" | "table" | "image" | "key-figures" | "appendix";
            slide_title?: string | null;
            slide_content?: components["schemas"]["SlideContent"];
            position?: number;
            slide_order?: number;
            slide_id?: unknown;
        };
        AddReportImageUpload: {
            /** Format: binary */
            image: string;
        };
        CreateChatSessionRequest: {
            survey_id?: number;
        };
        ChatRequest: {
            message: string;
            /** Format: uuid */
            session_id?: string;
            survey_id?: number;
        };
        AnalyzeSentimentRequest: {
            question_id: number;
            status?: ("complete" | "partial" | "screened_out")[];
            filter?: components["schemas"]["Filter"] | null;
            filters?: components["schemas"]["Filter"] | null;
            include_test?: boolean | null;
            /** @enum {string} */
            quality?: "exclude_confirmed" | "include_all";
            /** @constant */
            engine?: "built-in";
            save_as_column?: string | components["schemas"]["AnalyzeSentimentRequestSaveAsColumn"];
        };
        FindThemesRequest: {
            question_id: number;
            status?: ("complete" | "partial" | "screened_out")[];
            filter?: components["schemas"]["Filter"] | null;
            filters?: components["schemas"]["Filter"] | null;
            include_test?: boolean | null;
            /** @enum {string} */
            quality?: "exclude_confirmed" | "include_all";
            /** @constant */
            engine?: "built-in";
            save_as_column?: string | components["schemas"]["AnalyzeSentimentRequestSaveAsColumn"];
        };
        ClassifyTextsRequest: {
            question_id: number;
            status?: ("complete" | "partial" | "screened_out")[];
            filter?: components["schemas"]["Filter"] | null;
            filters?: components["schemas"]["Filter"] | null;
            include_test?: boolean | null;
            /** @enum {string} */
            quality?: "exclude_confirmed" | "include_all";
            /** @constant */
            engine?: "built-in";
            categories?: string[];
            save_as_column?: string | components["schemas"]["AnalyzeSentimentRequestSaveAsColumn"];
        };
        SuggestCategoriesRequest: {
            question_id: number;
            status?: ("complete" | "partial" | "screened_out")[];
            filter?: components["schemas"]["Filter"] | null;
            filters?: components["schemas"]["Filter"] | null;
            include_test?: boolean | null;
            /** @enum {string} */
            quality?: "exclude_confirmed" | "include_all";
            /** @constant */
            engine?: "built-in";
        };
        SummarizeTextsRequest: {
            question_id: number;
            status?: ("complete" | "partial" | "screened_out")[];
            filter?: components["schemas"]["Filter"] | null;
            filters?: components["schemas"]["Filter"] | null;
            include_test?: boolean | null;
            /** @enum {string} */
            quality?: "exclude_confirmed" | "include_all";
            /** @constant */
            engine?: "built-in";
        };
        TranslateTextsRequest: {
            question_id: number;
            status?: ("complete" | "partial" | "screened_out")[];
            filter?: components["schemas"]["Filter"] | null;
            filters?: components["schemas"]["Filter"] | null;
            include_test?: boolean | null;
            /** @enum {string} */
            quality?: "exclude_confirmed" | "include_all";
            /** @constant */
            engine?: "built-in";
            target_language: string;
        };
        FindInsightsRequest: {
            question_ids?: number[];
            status?: ("complete" | "partial" | "screened_out")[];
            filter?: components["schemas"]["Filter"] | null;
            filters?: components["schemas"]["Filter"] | null;
            include_test?: boolean | null;
            /** @enum {string} */
            quality?: "exclude_confirmed" | "include_all";
            weight?: string;
            weight_column?: string;
            /** @constant */
            engine?: "built-in";
        };
        FindAnomaliesRequest: {
            status?: ("complete" | "partial" | "screened_out")[];
            filter?: components["schemas"]["Filter"] | null;
            filters?: components["schemas"]["Filter"] | null;
            include_test?: boolean | null;
            /** @enum {string} */
            quality?: "exclude_confirmed" | "include_all";
            weight?: string;
            weight_column?: string;
            /** @constant */
            engine?: "built-in";
        };
        CreateUserRequest: {
            user_email: string;
            user_name: string;
            user_password: string;
            refuse_common_password?: boolean;
            /** @enum {integer} */
            user_type?: 1 | 2 | 3 | 6;
            /** @enum {string} */
            user_role?: "superadmin" | "admin" | "member" | "client";
            ai_access?: boolean;
            dashboard_ids?: number[];
        };
        UpdateUserRequest: {
            user_name?: string;
            /** Format: email */
            user_email?: string;
            current_password?: string;
            user_password?: unknown;
            /** @enum {integer} */
            user_type?: 1 | 2 | 3 | 6;
            /** @enum {string} */
            user_role?: "superadmin" | "admin" | "member" | "client";
            ai_access?: boolean;
            user_id?: unknown;
            user_status?: unknown;
            avatar_url?: unknown;
            last_login_at?: unknown;
            email_confirmed?: unknown;
        };
        SuspendUserRequest: {
            revoke_api_keys?: boolean;
        };
        SetUserAiAccessRequest: {
            ai_access: boolean;
        };
        SendPasswordLinkRequest: {
            current_password: string;
        };
        SetUserDashboardsRequest: {
            dashboard_ids: number[];
        };
        SetUserAvatarUpload: {
            /** Format: binary */
            avatar: string;
        };
        SetUserAvatarRequest: {
            avatar: string;
        };
        CreateGroupRequest: {
            group_name: string;
            group_description?: string | null;
            group_color?: string | null;
            user_ids?: number[];
            dashboard_ids?: number[];
        };
        UpdateGroupRequest: {
            group_name?: string;
            group_description?: string | null;
            group_color?: string | null;
            group_id?: unknown;
            member_count?: unknown;
            dashboard_count?: unknown;
            created_at?: unknown;
        };
        AddGroupMembersRequest: {
            user_ids: number[];
        };
        SetGroupDashboardsRequest: {
            dashboard_ids: number[];
        };
        CreateInviteLinkRequest: {
            /** @enum {integer} */
            invite_role?: 1 | 2 | 3 | 6;
            /** @enum {string} */
            user_role?: "admin" | "member" | "client";
            invite_max_uses?: number | null;
            expires_at?: string | null;
        };
        UpdateOrganizationRequest: {
            organization_name?: string;
            organization_slug?: string;
            organization_id?: unknown;
        };
        CreateCreditsCheckoutRequest: {
            credits: number;
            success_url?: string;
            cancel_url?: string;
        };
        ReceiveStripeEventRequest: {
            [key: string]: unknown;
        };
        SlideContent: components["schemas"]["TitleSlideContent"] | components["schemas"]["SectionSlideContent"] | components["schemas"]["TextSlideContent"] | components["schemas"]["ChartSlideContent"] | components["schemas"]["TableSlideContent"] | components["schemas"]["ImageSlideContent"] | components["schemas"]["KeyFiguresSlideContent"] | components["schemas"]["AppendixSlideContent"];
        Answers: {
            [key: string]: components["schemas"]["Answer"] | null;
        };
        Answer: (string | number | components["schemas"]["OtherChoice"]) | (string | number | components["schemas"]["OtherChoice"])[] | {
            [key: string]: string | number | (string | number)[];
        };
        OtherChoice: {
            value: string;
            other: string;
        };
        BlockLogicInput: {
            display?: components["schemas"]["ConditionInput"];
        };
        QuestionSettingsChanges: components["schemas"]["SingleChoiceSettingsChanges"] | components["schemas"]["MultipleChoiceSettingsChanges"] | components["schemas"]["TextSettingsChanges"] | components["schemas"]["NumberSettingsChanges"] | components["schemas"]["ScaleSettingsChanges"] | components["schemas"]["MatrixSettingsChanges"] | components["schemas"]["RankingSettingsChanges"] | components["schemas"]["DateSettingsChanges"] | components["schemas"]["NpsSettingsChanges"] | components["schemas"]["DropdownSettingsChanges"] | components["schemas"]["SliderSettingsChanges"] | components["schemas"]["FileUploadSettingsChanges"] | components["schemas"]["ConstantSumSettingsChanges"] | components["schemas"]["CalculatedSettingsChanges"] | components["schemas"]["StatementSettingsChanges"] | components["schemas"]["SideBySideSettingsChanges"];
        SingleChoiceSettingsChanges: {
            variable?: components["schemas"]["ImportedVariable"] | null;
            description?: (string | null) | null;
            image_url?: (string | null) | null;
            image_alt?: (string | null) | null;
            media_url?: (string | null) | null;
            media_alt?: (string | null) | null;
            media_captions?: ({
                [key: string]: string;
            } | null) | null;
            placeholder?: (string | null) | null;
            shuffle?: ("none" | "random" | "rotate" | "reverse") | null;
            hidden?: boolean | null;
            report_label?: (string | null) | null;
            no_answers?: components["schemas"]["NoAnswers"] | null;
            logic?: components["schemas"]["QuestionLogicInput"] | null;
            translations?: components["schemas"]["QuestionTranslations"] | null;
            display?: ("list" | "buttons" | "cards") | null;
            other_label?: (string | null) | null;
            columns?: number | null;
            searchable?: boolean | null;
            measure?: ("nominal" | "ordinal" | "scale") | null;
        };
        MultipleChoiceSettingsChanges: {
            variable?: components["schemas"]["ImportedVariable"] | null;
            description?: (string | null) | null;
            image_url?: (string | null) | null;
            image_alt?: (string | null) | null;
            media_url?: (string | null) | null;
            media_alt?: (string | null) | null;
            media_captions?: ({
                [key: string]: string;
            } | null) | null;
            placeholder?: (string | null) | null;
            shuffle?: ("none" | "random" | "rotate" | "reverse") | null;
            hidden?: boolean | null;
            report_label?: (string | null) | null;
            no_answers?: components["schemas"]["NoAnswers"] | null;
            logic?: components["schemas"]["QuestionLogicInput"] | null;
            translations?: components["schemas"]["QuestionTranslations"] | null;
            display?: ("list" | "buttons" | "cards") | null;
            other_label?: (string | null) | null;
            columns?: number | null;
            searchable?: boolean | null;
            min_selections?: (number | null) | null;
            max_selections?: (number | null) | null;
        };
        TextSettingsChanges: {
            variable?: components["schemas"]["ImportedVariable"] | null;
            description?: (string | null) | null;
            image_url?: (string | null) | null;
            image_alt?: (string | null) | null;
            media_url?: (string | null) | null;
            media_alt?: (string | null) | null;
            media_captions?: ({
                [key: string]: string;
            } | null) | null;
            placeholder?: (string | null) | null;
            shuffle?: ("none" | "random" | "rotate" | "reverse") | null;
            hidden?: boolean | null;
            report_label?: (string | null) | null;
            no_answers?: components["schemas"]["NoAnswers"] | null;
            logic?: components["schemas"]["QuestionLogicInput"] | null;
            translations?: components["schemas"]["QuestionTranslations"] | null;
            multiline?: boolean | null;
            min_length?: (number | null) | null;
            max_length?: number | null;
            format?: ("none" | "email" | "url" | "phone" | "regex") | null;
            pattern?: (string | null) | null;
        };
        NumberSettingsChanges: {
            variable?: components["schemas"]["ImportedVariable"] | null;
            description?: (string | null) | null;
            image_url?: (string | null) | null;
            image_alt?: (string | null) | null;
            media_url?: (string | null) | null;
            media_alt?: (string | null) | null;
            media_captions?: ({
                [key: string]: string;
            } | null) | null;
            placeholder?: (string | null) | null;
            shuffle?: ("none" | "random" | "rotate" | "reverse") | null;
            hidden?: boolean | null;
            report_label?: (string | null) | null;
            no_answers?: components["schemas"]["NoAnswers"] | null;
            logic?: components["schemas"]["QuestionLogicInput"] | null;
            translations?: components["schemas"]["QuestionTranslations"] | null;
            min?: number | null;
            max?: number | null;
            step?: (number | null) | null;
            decimals?: number | null;
            prefix?: (string | null) | null;
            suffix?: (string | null) | null;
        };
        ScaleSettingsChanges: {
            variable?: components["schemas"]["ImportedVariable"] | null;
            description?: (string | null) | null;
            image_url?: (string | null) | null;
            image_alt?: (string | null) | null;
            media_url?: (string | null) | null;
            media_alt?: (string | null) | null;
            media_captions?: ({
                [key: string]: string;
            } | null) | null;
            placeholder?: (string | null) | null;
            shuffle?: ("none" | "random" | "rotate" | "reverse") | null;
            hidden?: boolean | null;
            report_label?: (string | null) | null;
            no_answers?: components["schemas"]["NoAnswers"] | null;
            logic?: components["schemas"]["QuestionLogicInput"] | null;
            translations?: components["schemas"]["QuestionTranslations"] | null;
            min?: number | null;
            max?: number | null;
            step?: number | null;
            min_label?: (string | null) | null;
            mid_label?: (string | null) | null;
            max_label?: (string | null) | null;
            point_labels?: ({
                [key: string]: string;
            } | null) | null;
            display?: ("numbers" | "stars" | "smileys") | null;
        };
        MatrixSettingsChanges: {
            variable?: components["schemas"]["ImportedVariable"] | null;
            description?: (string | null) | null;
            image_url?: (string | null) | null;
            image_alt?: (string | null) | null;
            media_url?: (string | null) | null;
            media_alt?: (string | null) | null;
            media_captions?: ({
                [key: string]: string;
            } | null) | null;
            placeholder?: (string | null) | null;
            shuffle?: ("none" | "random" | "rotate" | "reverse") | null;
            hidden?: boolean | null;
            report_label?: (string | null) | null;
            no_answers?: components["schemas"]["NoAnswers"] | null;
            logic?: components["schemas"]["QuestionLogicInput"] | null;
            translations?: components["schemas"]["QuestionTranslations"] | null;
            rows?: components["schemas"]["MatrixSettingsInputRow"][];
            matrix_type?: ("single" | "multiple") | null;
            measure?: ("nominal" | "ordinal" | "scale") | null;
            require_all_rows?: boolean | null;
            shuffle_rows?: boolean | null;
        };
        RankingSettingsChanges: {
            variable?: components["schemas"]["ImportedVariable"] | null;
            description?: (string | null) | null;
            image_url?: (string | null) | null;
            image_alt?: (string | null) | null;
            media_url?: (string | null) | null;
            media_alt?: (string | null) | null;
            media_captions?: ({
                [key: string]: string;
            } | null) | null;
            placeholder?: (string | null) | null;
            shuffle?: ("none" | "random" | "rotate" | "reverse") | null;
            hidden?: boolean | null;
            report_label?: (string | null) | null;
            no_answers?: components["schemas"]["NoAnswers"] | null;
            logic?: components["schemas"]["QuestionLogicInput"] | null;
            translations?: components["schemas"]["QuestionTranslations"] | null;
            min_ranked?: (number | null) | null;
            max_ranked?: (number | null) | null;
        };
        DateSettingsChanges: {
            variable?: components["schemas"]["ImportedVariable"] | null;
            description?: (string | null) | null;
            image_url?: (string | null) | null;
            image_alt?: (string | null) | null;
            media_url?: (string | null) | null;
            media_alt?: (string | null) | null;
            media_captions?: ({
                [key: string]: string;
            } | null) | null;
            placeholder?: (string | null) | null;
            shuffle?: ("none" | "random" | "rotate" | "reverse") | null;
            hidden?: boolean | null;
            report_label?: (string | null) | null;
            no_answers?: components["schemas"]["NoAnswers"] | null;
            logic?: components["schemas"]["QuestionLogicInput"] | null;
            translations?: components["schemas"]["QuestionTranslations"] | null;
            precision?: ("date" | "datetime" | "time" | "month" | "year") | null;
            min?: (string | null) | null;
            max?: (string | null) | null;
        };
        NpsSettingsChanges: {
            variable?: components["schemas"]["ImportedVariable"] | null;
            description?: (string | null) | null;
            image_url?: (string | null) | null;
            image_alt?: (string | null) | null;
            media_url?: (string | null) | null;
            media_alt?: (string | null) | null;
            media_captions?: ({
                [key: string]: string;
            } | null) | null;
            placeholder?: (string | null) | null;
            shuffle?: ("none" | "random" | "rotate" | "reverse") | null;
            hidden?: boolean | null;
            report_label?: (string | null) | null;
            no_answers?: components["schemas"]["NoAnswers"] | null;
            logic?: components["schemas"]["QuestionLogicInput"] | null;
            translations?: components["schemas"]["QuestionTranslations"] | null;
            min_label?: (string | null) | null;
            max_label?: (string | null) | null;
        };
        DropdownSettingsChanges: {
            variable?: components["schemas"]["ImportedVariable"] | null;
            description?: (string | null) | null;
            image_url?: (string | null) | null;
            image_alt?: (string | null) | null;
            media_url?: (string | null) | null;
            media_alt?: (string | null) | null;
            media_captions?: ({
                [key: string]: string;
            } | null) | null;
            placeholder?: (string | null) | null;
            shuffle?: ("none" | "random" | "rotate" | "reverse") | null;
            hidden?: boolean | null;
            report_label?: (string | null) | null;
            no_answers?: components["schemas"]["NoAnswers"] | null;
            logic?: components["schemas"]["QuestionLogicInput"] | null;
            translations?: components["schemas"]["QuestionTranslations"] | null;
            display?: ("list" | "buttons" | "cards") | null;
            other_label?: (string | null) | null;
            columns?: number | null;
            searchable?: boolean | null;
            measure?: ("nominal" | "ordinal" | "scale") | null;
        };
        SliderSettingsChanges: {
            variable?: components["schemas"]["ImportedVariable"] | null;
            description?: (string | null) | null;
            image_url?: (string | null) | null;
            image_alt?: (string | null) | null;
            media_url?: (string | null) | null;
            media_alt?: (string | null) | null;
            media_captions?: ({
                [key: string]: string;
            } | null) | null;
            placeholder?: (string | null) | null;
            shuffle?: ("none" | "random" | "rotate" | "reverse") | null;
            hidden?: boolean | null;
            report_label?: (string | null) | null;
            no_answers?: components["schemas"]["NoAnswers"] | null;
            logic?: components["schemas"]["QuestionLogicInput"] | null;
            translations?: components["schemas"]["QuestionTranslations"] | null;
            min?: number | null;
            max?: number | null;
            step?: number | null;
            start?: number | null;
        };
        FileUploadSettingsChanges: {
            variable?: components["schemas"]["ImportedVariable"] | null;
            description?: (string | null) | null;
            image_url?: (string | null) | null;
            image_alt?: (string | null) | null;
            media_url?: (string | null) | null;
            media_alt?: (string | null) | null;
            media_captions?: ({
                [key: string]: string;
            } | null) | null;
            placeholder?: (string | null) | null;
            shuffle?: ("none" | "random" | "rotate" | "reverse") | null;
            hidden?: boolean | null;
            report_label?: (string | null) | null;
            no_answers?: components["schemas"]["NoAnswers"] | null;
            logic?: components["schemas"]["QuestionLogicInput"] | null;
            translations?: components["schemas"]["QuestionTranslations"] | null;
            max_files?: number | null;
            max_size_mb?: number | null;
            allowed_extensions?: (string[] | null) | null;
        };
        ConstantSumSettingsChanges: {
            variable?: components["schemas"]["ImportedVariable"] | null;
            description?: (string | null) | null;
            image_url?: (string | null) | null;
            image_alt?: (string | null) | null;
            media_url?: (string | null) | null;
            media_alt?: (string | null) | null;
            media_captions?: ({
                [key: string]: string;
            } | null) | null;
            placeholder?: (string | null) | null;
            shuffle?: ("none" | "random" | "rotate" | "reverse") | null;
            hidden?: boolean | null;
            report_label?: (string | null) | null;
            no_answers?: components["schemas"]["NoAnswers"] | null;
            logic?: components["schemas"]["QuestionLogicInput"] | null;
            translations?: components["schemas"]["QuestionTranslations"] | null;
            total?: number | null;
            total_rule?: ("equal" | "at_most") | null;
            min?: number | null;
            max?: (number | null) | null;
            decimals?: number | null;
            prefix?: (string | null) | null;
            suffix?: (string | null) | null;
        };
        CalculatedSettingsChanges: {
            variable?: components["schemas"]["ImportedVariable"] | null;
            description?: (string | null) | null;
            image_url?: (string | null) | null;
            image_alt?: (string | null) | null;
            media_url?: (string | null) | null;
            media_alt?: (string | null) | null;
            media_captions?: ({
                [key: string]: string;
            } | null) | null;
            placeholder?: (string | null) | null;
            shuffle?: ("none" | "random" | "rotate" | "reverse") | null;
            hidden?: boolean | null;
            report_label?: (string | null) | null;
            no_answers?: components["schemas"]["NoAnswers"] | null;
            logic?: components["schemas"]["QuestionLogicInput"] | null;
            translations?: components["schemas"]["QuestionTranslations"] | null;
            expression?: string | null;
            result?: ("number" | "text" | "boolean" | "date") | null;
            decimals?: (number | null) | null;
            prefix?: (string | null) | null;
            suffix?: (string | null) | null;
            yes_label?: (string | null) | null;
            no_label?: (string | null) | null;
        };
        StatementSettingsChanges: {
            variable?: components["schemas"]["ImportedVariable"] | null;
            description?: (string | null) | null;
            image_url?: (string | null) | null;
            image_alt?: (string | null) | null;
            media_url?: (string | null) | null;
            media_alt?: (string | null) | null;
            media_captions?: ({
                [key: string]: string;
            } | null) | null;
            placeholder?: (string | null) | null;
            shuffle?: ("none" | "random" | "rotate" | "reverse") | null;
            hidden?: boolean | null;
            report_label?: (string | null) | null;
            no_answers?: components["schemas"]["NoAnswers"] | null;
            logic?: components["schemas"]["QuestionLogicInput"] | null;
            translations?: components["schemas"]["QuestionTranslations"] | null;
            min_seconds?: (number | null) | null;
        };
        SideBySideSettingsChanges: {
            variable?: components["schemas"]["ImportedVariable"] | null;
            description?: (string | null) | null;
            image_url?: (string | null) | null;
            image_alt?: (string | null) | null;
            media_url?: (string | null) | null;
            media_alt?: (string | null) | null;
            media_captions?: ({
                [key: string]: string;
            } | null) | null;
            placeholder?: (string | null) | null;
            shuffle?: ("none" | "random" | "rotate" | "reverse") | null;
            hidden?: boolean | null;
            report_label?: (string | null) | null;
            no_answers?: components["schemas"]["NoAnswers"] | null;
            logic?: components["schemas"]["QuestionLogicInput"] | null;
            translations?: components["schemas"]["QuestionTranslations"] | null;
            rows?: components["schemas"]["SideBySideSettingsInputRow"][];
            columns?: (components["schemas"]["SideBySideSettingsInputColumnSingleChoice"] | components["schemas"]["SideBySideSettingsInputColumnMultipleChoice"] | components["schemas"]["SideBySideSettingsInputColumnDropdown"] | components["schemas"]["SideBySideSettingsInputColumnScale"] | components["schemas"]["SideBySideSettingsInputColumnNumber"] | components["schemas"]["SideBySideSettingsInputColumnText"])[];
        };
        NewSurveyQuestion: components["schemas"]["NewSurveyQuestionOfSingleChoice"] | components["schemas"]["NewSurveyQuestionOfMultipleChoice"] | components["schemas"]["NewSurveyQuestionOfText"] | components["schemas"]["NewSurveyQuestionOfNumber"] | components["schemas"]["NewSurveyQuestionOfScale"] | components["schemas"]["NewSurveyQuestionOfMatrix"] | components["schemas"]["NewSurveyQuestionOfRanking"] | components["schemas"]["NewSurveyQuestionOfDate"] | components["schemas"]["NewSurveyQuestionOfNps"] | components["schemas"]["NewSurveyQuestionOfDropdown"] | components["schemas"]["NewSurveyQuestionOfSlider"] | components["schemas"]["NewSurveyQuestionOfFileUpload"] | components["schemas"]["NewSurveyQuestionOfConstantSum"] | components["schemas"]["NewSurveyQuestionOfCalculated"] | components["schemas"]["NewSurveyQuestionOfStatement"] | components["schemas"]["NewSurveyQuestionOfSideBySide"];
        NewSurveyQuestionOfSingleChoice: {
            question_text: string;
            question_code?: string;
            question_required?: boolean;
            question_settings?: components["schemas"]["SingleChoiceSettingsInput"] | null;
            options?: (string | components["schemas"]["NewQuestionOfSingleChoiceOption"])[] | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "single_choice";
        };
        NewSurveyQuestionOfMultipleChoice: {
            question_text: string;
            question_code?: string;
            question_required?: boolean;
            question_settings?: components["schemas"]["MultipleChoiceSettingsInput"] | null;
            options?: (string | components["schemas"]["NewQuestionOfSingleChoiceOption"])[] | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "multiple_choice";
        };
        NewSurveyQuestionOfText: {
            question_text: string;
            question_code?: string;
            question_required?: boolean;
            question_settings?: components["schemas"]["TextSettingsInput"] | null;
            options?: (string | components["schemas"]["NewQuestionOfSingleChoiceOption"])[] | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "text";
        };
        NewSurveyQuestionOfNumber: {
            question_text: string;
            question_code?: string;
            question_required?: boolean;
            question_settings?: components["schemas"]["NumberSettingsInput"] | null;
            options?: (string | components["schemas"]["NewQuestionOfSingleChoiceOption"])[] | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "number";
        };
        NewSurveyQuestionOfScale: {
            question_text: string;
            question_code?: string;
            question_required?: boolean;
            question_settings?: components["schemas"]["ScaleSettingsInput"] | null;
            options?: (string | components["schemas"]["NewQuestionOfSingleChoiceOption"])[] | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "scale";
        };
        NewSurveyQuestionOfMatrix: {
            question_text: string;
            question_code?: string;
            question_required?: boolean;
            question_settings: components["schemas"]["MatrixSettingsInput"];
            options?: (string | components["schemas"]["NewQuestionOfSingleChoiceOption"])[] | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "matrix";
        };
        NewSurveyQuestionOfRanking: {
            question_text: string;
            question_code?: string;
            question_required?: boolean;
            question_settings?: components["schemas"]["RankingSettingsInput"] | null;
            options?: (string | components["schemas"]["NewQuestionOfSingleChoiceOption"])[] | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "ranking";
        };
        NewSurveyQuestionOfDate: {
            question_text: string;
            question_code?: string;
            question_required?: boolean;
            question_settings?: components["schemas"]["DateSettingsInput"] | null;
            options?: (string | components["schemas"]["NewQuestionOfSingleChoiceOption"])[] | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "date";
        };
        NewSurveyQuestionOfNps: {
            question_text: string;
            question_code?: string;
            question_required?: boolean;
            question_settings?: components["schemas"]["NpsSettingsInput"] | null;
            options?: (string | components["schemas"]["NewQuestionOfSingleChoiceOption"])[] | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "nps";
        };
        NewSurveyQuestionOfDropdown: {
            question_text: string;
            question_code?: string;
            question_required?: boolean;
            question_settings?: components["schemas"]["DropdownSettingsInput"] | null;
            options?: (string | components["schemas"]["NewQuestionOfSingleChoiceOption"])[] | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "dropdown";
        };
        NewSurveyQuestionOfSlider: {
            question_text: string;
            question_code?: string;
            question_required?: boolean;
            question_settings?: components["schemas"]["SliderSettingsInput"] | null;
            options?: (string | components["schemas"]["NewQuestionOfSingleChoiceOption"])[] | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "slider";
        };
        NewSurveyQuestionOfFileUpload: {
            question_text: string;
            question_code?: string;
            question_required?: boolean;
            question_settings?: components["schemas"]["FileUploadSettingsInput"] | null;
            options?: (string | components["schemas"]["NewQuestionOfSingleChoiceOption"])[] | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "file_upload";
        };
        NewSurveyQuestionOfConstantSum: {
            question_text: string;
            question_code?: string;
            question_required?: boolean;
            question_settings?: components["schemas"]["ConstantSumSettingsInput"] | null;
            options?: (string | components["schemas"]["NewQuestionOfSingleChoiceOption"])[] | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "constant_sum";
        };
        NewSurveyQuestionOfCalculated: {
            question_text: string;
            question_code?: string;
            question_required?: boolean;
            question_settings?: components["schemas"]["CalculatedSettingsInput"] | null;
            options?: (string | components["schemas"]["NewQuestionOfSingleChoiceOption"])[] | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "calculated";
        };
        NewSurveyQuestionOfStatement: {
            question_text: string;
            question_code?: string;
            question_required?: boolean;
            question_settings?: components["schemas"]["StatementSettingsInput"] | null;
            options?: (string | components["schemas"]["NewQuestionOfSingleChoiceOption"])[] | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "statement";
        };
        NewSurveyQuestionOfSideBySide: {
            question_text: string;
            question_code?: string;
            question_required?: boolean;
            question_settings: components["schemas"]["SideBySideSettingsInput"];
            options?: (string | components["schemas"]["NewQuestionOfSingleChoiceOption"])[] | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "side_by_side";
        };
        PageLogicInput: {
            display?: components["schemas"]["ConditionInput"];
            skip?: components["schemas"]["SkipRuleInput"][];
        };
        AuthenticateResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["AuthenticateData"];
        };
        AuthenticateData: components["schemas"]["Login"] | components["schemas"]["LoggedOut"] | components["schemas"]["Registration"] | components["schemas"]["PasswordResetRequested"] | components["schemas"]["PasswordReset"] | components["schemas"]["EmailConfirmed"];
        Login: {
            user_id: number;
            user_name: string;
            user_email: string;
            organization_name: string;
            user_type: number;
            /** @enum {string} */
            user_role: "superadmin" | "admin" | "member" | "client";
            access_token?: string;
        };
        LoggedOut: {
            /** @constant */
            logged_out: true;
        };
        Registration: {
            /** @constant */
            registered: true;
            user_id: number;
            /** @constant */
            user_status: 2;
        };
        PasswordResetRequested: {
            /** @constant */
            accepted: true;
            /** @enum {string} */
            delivery: "smtp" | "none";
        };
        PasswordReset: {
            /** @constant */
            password_changed: true;
        };
        EmailConfirmed: {
            /** @constant */
            email_confirmed: true;
        };
        ErrorResponse: {
            /** @constant */
            error: 1;
            message: string;
            code: string;
            details: components["schemas"]["ErrorResponseDetail"][];
            request_id: string;
        };
        ListApiKeysResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["ApiKey"][];
            meta: components["schemas"]["ListMeta"];
        };
        ApiKey: {
            api_key_id: number;
            key_name: string;
            key_start: string;
            /** Format: date-time */
            created_at: string;
            last_used_at: string | null;
            expires_at: string | null;
        };
        ListMeta: {
            limit: number;
            next_cursor: string | null;
            total: number;
        };
        CreateApiKeyResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["CreatedApiKey"];
        };
        CreatedApiKey: {
            api_key_id: number;
            key_name: string;
            key_start: string;
            /** Format: date-time */
            created_at: string;
            last_used_at: string | null;
            expires_at: string | null;
            api_key: string;
        };
        ListUserApiKeysResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["ApiKey"][];
            meta: components["schemas"]["ListMeta"];
        };
        ListSessionsResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Session"][];
            meta: components["schemas"]["ListMeta"];
        };
        Session: {
            /** Format: uuid */
            session_id: string;
            /** Format: date-time */
            created_at: string;
            last_used_at: string | null;
            /** Format: date-time */
            expires_at: string;
            user_agent: string | null;
            address: string | null;
            current: boolean;
        };
        ChangePasswordResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["ChangePasswordData"];
        };
        ChangePasswordData: {
            /** @constant */
            password_changed: true;
            access_token?: string;
        };
        ListWorkspacesResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Workspace"][];
            meta: components["schemas"]["ListMeta"];
        };
        Workspace: {
            workspace_id: number;
            workspace_name: string;
            workspace_color: string;
            workspace_visibility: 1 | 2 | 3;
            workspace_look: components["schemas"]["Look"];
            /** Format: date-time */
            workspace_inserted: string;
            owner_id: number;
            /** @enum {string} */
            my_role: "viewer" | "editor" | "owner";
        };
        Look: {
            color: string | null;
            background_color: string | null;
            logo: string | null;
            logo_alt: string | null;
            typeface: ("sans" | "serif" | "rounded") | null;
            imprint_url: string | null;
            privacy_url: string | null;
            sender_name: string | null;
            made_with_canvass: boolean | null;
            icon: string | null;
            share_image: string | null;
        };
        CreateWorkspaceResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Workspace"];
        };
        GetWorkspaceResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Workspace"];
        };
        UpdateWorkspaceResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Workspace"];
        };
        RestoreWorkspaceResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["RestoreWorkspaceData"];
        };
        RestoreWorkspaceData: {
            workspace_id: number;
            /** @constant */
            restored: true;
        };
        GetCurrentWorkspaceResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Workspace"];
        };
        SetCurrentWorkspaceResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Workspace"];
        };
        ListWorkspaceMembersResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["WorkspaceMember"][];
            meta: components["schemas"]["ListMeta"];
        };
        WorkspaceMember: {
            user_id: number;
            user_name: string;
            user_email: string;
            /** @enum {string} */
            role: "viewer" | "editor";
        };
        AddWorkspaceMemberResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["WorkspaceMember"];
        };
        ListOrphanedWorkspacesResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["OrphanedWorkspace"][];
            meta: components["schemas"]["ListMeta"];
        };
        OrphanedWorkspace: {
            workspace_id: number;
            workspace_name: string;
            workspace_visibility: number;
            /** Format: date-time */
            workspace_inserted: string;
            owner_id: number;
            owner_name: string;
            owner_status: number;
        };
        TransferWorkspaceResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["TransferWorkspaceData"];
        };
        TransferWorkspaceData: {
            workspace_id: number;
            owner_id: number;
        };
        SearchWorkspaceResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["FoundObjects"];
        };
        FoundObjects: {
            surveys: components["schemas"]["FoundSurvey"][];
            questions: components["schemas"]["FoundQuestion"][];
            dashboards: components["schemas"]["FoundDashboard"][];
            reports: components["schemas"]["FoundReport"][];
        };
        FoundSurvey: {
            survey_id: number;
            survey_name: string;
            survey_status: number;
        };
        FoundQuestion: {
            question_id: number;
            question_code: string;
            question_text: string;
            question_label: string;
            survey_id: number;
            survey_name: string;
        };
        FoundDashboard: {
            dashboard_id: number;
            dashboard_name: string;
        };
        FoundReport: {
            report_id: number;
            report_name: string;
        };
        ListSurveysResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Survey"][];
            meta: components["schemas"]["ListMeta"];
        };
        Survey: {
            survey_id: number;
            survey_name: string;
            survey_description: string | null;
            survey_status: 0 | 1 | 2 | 3;
            /** @enum {string} */
            survey_type: "quantitative" | "qualitative" | "mixed";
            response_count: number;
            complete_count: number;
            /** @enum {string} */
            collection_status: "not_published" | "open" | "full" | "closed";
            closes_at: string | null;
            response_limit: number | null;
            workspace_id: number;
            /** Format: date-time */
            survey_inserted: string;
            /** Format: date-time */
            survey_updated: string;
            closed_at: string | null;
            published_version: number | null;
            has_unpublished_changes: boolean;
            revision: number;
            last_edited_by: components["schemas"]["SurveyLastEditedBy"] | null;
            deleted_at: string | null;
            activity?: components["schemas"]["SurveyActivity"][];
        };
        SurveyActivity: {
            /** Format: date */
            day: string;
            complete_count: number;
        };
        CreateSurveyResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["SurveyWithPages"];
        };
        SurveyWithPages: {
            survey_id: number;
            survey_name: string;
            survey_description: string | null;
            survey_status: 0 | 1 | 2 | 3;
            /** @enum {string} */
            survey_type: "quantitative" | "qualitative" | "mixed";
            response_count: number;
            complete_count: number;
            /** @enum {string} */
            collection_status: "not_published" | "open" | "full" | "closed";
            closes_at: string | null;
            response_limit: number | null;
            workspace_id: number;
            /** Format: date-time */
            survey_inserted: string;
            /** Format: date-time */
            survey_updated: string;
            closed_at: string | null;
            published_version: number | null;
            has_unpublished_changes: boolean;
            revision: number;
            last_edited_by: components["schemas"]["SurveyLastEditedBy"] | null;
            survey_settings: components["schemas"]["SurveySettings"];
            quality_settings: components["schemas"]["QualitySettings"];
            survey_arrangement: components["schemas"]["ArrangementOutput"] | null;
            outdated_translations: components["schemas"]["OutdatedTranslations"];
            etag: string;
            pages: components["schemas"]["PageWithQuestions"][];
            blocks: components["schemas"]["Block"][];
            questions: components["schemas"]["Question"][];
        };
        SurveySettings: {
            anonymous: boolean;
            confidential: boolean;
            min_base: number;
            dominance_percent: number;
            timezone: string;
            default_language: string;
            languages: string[];
            color: string | null;
            background_color: string | null;
            logo: string | null;
            logo_alt: string | null;
            typeface: ("sans" | "serif" | "rounded") | null;
            imprint_url: string | null;
            privacy_url: string | null;
            sender_name: string | null;
            made_with_canvass: boolean | null;
            icon: string | null;
            share_image: string | null;
            /** @enum {string} */
            layout: "pages" | "one_question";
            show_progress: boolean;
            show_page_number: boolean;
            allow_back: boolean;
            title: string | null;
            welcome_title: string | null;
            welcome_text: string | null;
            welcome_image: string | null;
            welcome_image_alt: string | null;
            welcome_minutes: number | null;
            welcome_button: string | null;
            end_title: string | null;
            end_image: string | null;
            end_image_alt: string | null;
            end_button: string | null;
            end_url: string | null;
            share_description: string | null;
            completion_message: string | null;
            screened_out_message: string | null;
            over_quota_message: string | null;
            closed_message: string | null;
            allow_restart: boolean;
            redirect_url: string | null;
            author_note: string | null;
            consent_text: string | null;
            embed_origins: string[];
            hidden_values: string[];
            previous_survey_id: number | null;
            closes_at: string | null;
            response_limit: number | null;
            translations: {
                [key: string]: components["schemas"]["SurveyTranslation"];
            };
        };
        QualitySettings: {
            speeder: components["schemas"]["QualitySettingsSpeeder"];
            straightliner: components["schemas"]["QualitySettingsStraightliner"];
            duplicate: components["schemas"]["QualitySettingsDuplicate"];
            open_end: components["schemas"]["QualitySettingsOpenEnd"];
            attention_checks: components["schemas"]["CreateSurveyRequestQualitySettingsAttentionCheck"][];
            /** @enum {string} */
            action: "flag" | "screen_out";
        };
        OutdatedTranslations: {
            [key: string]: string[];
        };
        PageWithQuestions: {
            page_id: number;
            page_title: string | null;
            page_description: string | null;
            page_logic: components["schemas"]["PageLogic"] | null;
            block_id: number | null;
            shown_to_arm: string | null;
            page_arrangement: components["schemas"]["ArrangementOutput"] | null;
            question_ids: number[];
            retired: boolean;
            etag: string;
            questions: components["schemas"]["Question"][];
        };
        PageLogic: {
            display?: components["schemas"]["Condition"];
            skip?: components["schemas"]["SkipRule"][];
        };
        Condition: components["schemas"]["Comparison"] | components["schemas"]["ConditionGroup"];
        Comparison: {
            left: components["schemas"]["ComparisonLeft"];
            /** @enum {string} */
            operator: "equals" | "not_equals" | "contains" | "not_contains" | "starts_with" | "ends_with" | "gt" | "gte" | "lt" | "lte" | "between" | "in" | "not_in" | "includes_any" | "includes_all" | "includes_none" | "answered" | "not_answered" | "gave_reason" | "before" | "after";
            right?: (string | number | boolean) | (string | number | boolean)[];
        };
        ConditionGroup: {
            /** @enum {string} */
            connector: "and" | "or";
            conditions: components["schemas"]["Condition"][];
        };
        SkipRule: {
            when: components["schemas"]["Condition"];
            /** @enum {string} */
            action: "jump_to_page" | "jump_to_question" | "end_survey" | "screen_out";
            target_id?: number;
            reason?: string;
        };
        Question: components["schemas"]["SingleChoiceQuestion"] | components["schemas"]["MultipleChoiceQuestion"] | components["schemas"]["TextQuestion"] | components["schemas"]["NumberQuestion"] | components["schemas"]["ScaleQuestion"] | components["schemas"]["MatrixQuestion"] | components["schemas"]["RankingQuestion"] | components["schemas"]["DateQuestion"] | components["schemas"]["NpsQuestion"] | components["schemas"]["DropdownQuestion"] | components["schemas"]["SliderQuestion"] | components["schemas"]["FileUploadQuestion"] | components["schemas"]["ConstantSumQuestion"] | components["schemas"]["CalculatedQuestion"] | components["schemas"]["StatementQuestion"] | components["schemas"]["SideBySideQuestion"];
        SingleChoiceQuestion: {
            question_id: number;
            page_id: number;
            question_text: string;
            question_code: string;
            question_required: boolean;
            options: components["schemas"]["Option"][];
            retired: boolean;
            outdated_translations: components["schemas"]["OutdatedTranslations"];
            etag: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "single_choice";
            question_settings: components["schemas"]["SingleChoiceSettings"];
        };
        Option: {
            option_code: number;
            option_value: string;
            option_label: string;
            option_order: number;
            option_image: string | null;
            option_exclusive: boolean;
            option_other: boolean;
            option_anchor: boolean;
            option_missing: boolean;
            retired: boolean;
        };
        SingleChoiceSettings: {
            variable?: components["schemas"]["ImportedVariable"];
            description: string | null;
            image_url: string | null;
            image_alt: string | null;
            media_url: string | null;
            media_alt: string | null;
            media_captions: {
                [key: string]: string;
            } | null;
            placeholder: string | null;
            /** @enum {string} */
            shuffle: "none" | "random" | "rotate" | "reverse";
            hidden: boolean;
            report_label: string | null;
            no_answers: components["schemas"]["NoAnswersOutput"];
            logic: components["schemas"]["QuestionLogic"] | null;
            translations: components["schemas"]["QuestionTranslations"] | null;
            /** @enum {string} */
            display: "list" | "buttons" | "cards";
            other_label: string | null;
            columns: number;
            searchable: boolean;
            /** @enum {string} */
            measure: "nominal" | "ordinal" | "scale";
        };
        QuestionLogic: {
            display?: components["schemas"]["Condition"];
            skip?: components["schemas"]["SkipRule"][];
            options?: {
                [key: string]: components["schemas"]["Condition"];
            };
            carry_forward?: components["schemas"]["QuestionLogicCarryForward"];
        };
        MultipleChoiceQuestion: {
            question_id: number;
            page_id: number;
            question_text: string;
            question_code: string;
            question_required: boolean;
            options: components["schemas"]["Option"][];
            retired: boolean;
            outdated_translations: components["schemas"]["OutdatedTranslations"];
            etag: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "multiple_choice";
            question_settings: components["schemas"]["MultipleChoiceSettings"];
        };
        MultipleChoiceSettings: {
            variable?: components["schemas"]["ImportedVariable"];
            description: string | null;
            image_url: string | null;
            image_alt: string | null;
            media_url: string | null;
            media_alt: string | null;
            media_captions: {
                [key: string]: string;
            } | null;
            placeholder: string | null;
            /** @enum {string} */
            shuffle: "none" | "random" | "rotate" | "reverse";
            hidden: boolean;
            report_label: string | null;
            no_answers: components["schemas"]["NoAnswersOutput"];
            logic: components["schemas"]["QuestionLogic"] | null;
            translations: components["schemas"]["QuestionTranslations"] | null;
            /** @enum {string} */
            display: "list" | "buttons" | "cards";
            other_label: string | null;
            columns: number;
            searchable: boolean;
            min_selections: number | null;
            max_selections: number | null;
        };
        TextQuestion: {
            question_id: number;
            page_id: number;
            question_text: string;
            question_code: string;
            question_required: boolean;
            options: components["schemas"]["Option"][];
            retired: boolean;
            outdated_translations: components["schemas"]["OutdatedTranslations"];
            etag: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "text";
            question_settings: components["schemas"]["TextSettings"];
        };
        TextSettings: {
            variable?: components["schemas"]["ImportedVariable"];
            description: string | null;
            image_url: string | null;
            image_alt: string | null;
            media_url: string | null;
            media_alt: string | null;
            media_captions: {
                [key: string]: string;
            } | null;
            placeholder: string | null;
            /** @enum {string} */
            shuffle: "none" | "random" | "rotate" | "reverse";
            hidden: boolean;
            report_label: string | null;
            no_answers: components["schemas"]["NoAnswersOutput"];
            logic: components["schemas"]["QuestionLogic"] | null;
            translations: components["schemas"]["QuestionTranslations"] | null;
            multiline: boolean;
            min_length: number | null;
            max_length: number;
            /** @enum {string} */
            format: "none" | "email" | "url" | "phone" | "regex";
            pattern: string | null;
        };
        NumberQuestion: {
            question_id: number;
            page_id: number;
            question_text: string;
            question_code: string;
            question_required: boolean;
            options: components["schemas"]["Option"][];
            retired: boolean;
            outdated_translations: components["schemas"]["OutdatedTranslations"];
            etag: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "number";
            question_settings: components["schemas"]["NumberSettings"];
        };
        NumberSettings: {
            variable?: components["schemas"]["ImportedVariable"];
            description: string | null;
            image_url: string | null;
            image_alt: string | null;
            media_url: string | null;
            media_alt: string | null;
            media_captions: {
                [key: string]: string;
            } | null;
            placeholder: string | null;
            /** @enum {string} */
            shuffle: "none" | "random" | "rotate" | "reverse";
            hidden: boolean;
            report_label: string | null;
            no_answers: components["schemas"]["NoAnswersOutput"];
            logic: components["schemas"]["QuestionLogic"] | null;
            translations: components["schemas"]["QuestionTranslations"] | null;
            min: number | null;
            max: number | null;
            step: number | null;
            decimals: number;
            prefix: string | null;
            suffix: string | null;
        };
        ScaleQuestion: {
            question_id: number;
            page_id: number;
            question_text: string;
            question_code: string;
            question_required: boolean;
            options: components["schemas"]["Option"][];
            retired: boolean;
            outdated_translations: components["schemas"]["OutdatedTranslations"];
            etag: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "scale";
            question_settings: components["schemas"]["ScaleSettings"];
        };
        ScaleSettings: {
            variable?: components["schemas"]["ImportedVariable"];
            description: string | null;
            image_url: string | null;
            image_alt: string | null;
            media_url: string | null;
            media_alt: string | null;
            media_captions: {
                [key: string]: string;
            } | null;
            placeholder: string | null;
            /** @enum {string} */
            shuffle: "none" | "random" | "rotate" | "reverse";
            hidden: boolean;
            report_label: string | null;
            no_answers: components["schemas"]["NoAnswersOutput"];
            logic: components["schemas"]["QuestionLogic"] | null;
            translations: components["schemas"]["QuestionTranslations"] | null;
            min: number;
            max: number;
            step: number;
            min_label: string | null;
            mid_label: string | null;
            max_label: string | null;
            point_labels: {
                [key: string]: string;
            } | null;
            /** @enum {string} */
            display: "numbers" | "stars" | "smileys";
        };
        MatrixQuestion: {
            question_id: number;
            page_id: number;
            question_text: string;
            question_code: string;
            question_required: boolean;
            options: components["schemas"]["Option"][];
            retired: boolean;
            outdated_translations: components["schemas"]["OutdatedTranslations"];
            etag: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "matrix";
            question_settings: components["schemas"]["MatrixSettings"];
        };
        MatrixSettings: {
            variable?: components["schemas"]["ImportedVariable"];
            description: string | null;
            image_url: string | null;
            image_alt: string | null;
            media_url: string | null;
            media_alt: string | null;
            media_captions: {
                [key: string]: string;
            } | null;
            placeholder: string | null;
            /** @enum {string} */
            shuffle: "none" | "random" | "rotate" | "reverse";
            hidden: boolean;
            report_label: string | null;
            no_answers: components["schemas"]["NoAnswersOutput"];
            logic: components["schemas"]["QuestionLogic"] | null;
            translations: components["schemas"]["QuestionTranslations"] | null;
            rows: components["schemas"]["MatrixSettingsInputRow"][];
            /** @enum {string} */
            matrix_type: "single" | "multiple";
            /** @enum {string} */
            measure: "nominal" | "ordinal" | "scale";
            require_all_rows: boolean;
            shuffle_rows: boolean;
        };
        RankingQuestion: {
            question_id: number;
            page_id: number;
            question_text: string;
            question_code: string;
            question_required: boolean;
            options: components["schemas"]["Option"][];
            retired: boolean;
            outdated_translations: components["schemas"]["OutdatedTranslations"];
            etag: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "ranking";
            question_settings: components["schemas"]["RankingSettings"];
        };
        RankingSettings: {
            variable?: components["schemas"]["ImportedVariable"];
            description: string | null;
            image_url: string | null;
            image_alt: string | null;
            media_url: string | null;
            media_alt: string | null;
            media_captions: {
                [key: string]: string;
            } | null;
            placeholder: string | null;
            /** @enum {string} */
            shuffle: "none" | "random" | "rotate" | "reverse";
            hidden: boolean;
            report_label: string | null;
            no_answers: components["schemas"]["NoAnswersOutput"];
            logic: components["schemas"]["QuestionLogic"] | null;
            translations: components["schemas"]["QuestionTranslations"] | null;
            min_ranked: number | null;
            max_ranked: number | null;
        };
        DateQuestion: {
            question_id: number;
            page_id: number;
            question_text: string;
            question_code: string;
            question_required: boolean;
            options: components["schemas"]["Option"][];
            retired: boolean;
            outdated_translations: components["schemas"]["OutdatedTranslations"];
            etag: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "date";
            question_settings: components["schemas"]["DateSettings"];
        };
        DateSettings: {
            variable?: components["schemas"]["ImportedVariable"];
            description: string | null;
            image_url: string | null;
            image_alt: string | null;
            media_url: string | null;
            media_alt: string | null;
            media_captions: {
                [key: string]: string;
            } | null;
            placeholder: string | null;
            /** @enum {string} */
            shuffle: "none" | "random" | "rotate" | "reverse";
            hidden: boolean;
            report_label: string | null;
            no_answers: components["schemas"]["NoAnswersOutput"];
            logic: components["schemas"]["QuestionLogic"] | null;
            translations: components["schemas"]["QuestionTranslations"] | null;
            /** @enum {string} */
            precision: "date" | "datetime" | "time" | "month" | "year";
            min: string | null;
            max: string | null;
        };
        NpsQuestion: {
            question_id: number;
            page_id: number;
            question_text: string;
            question_code: string;
            question_required: boolean;
            options: components["schemas"]["Option"][];
            retired: boolean;
            outdated_translations: components["schemas"]["OutdatedTranslations"];
            etag: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "nps";
            question_settings: components["schemas"]["NpsSettings"];
        };
        NpsSettings: {
            variable?: components["schemas"]["ImportedVariable"];
            description: string | null;
            image_url: string | null;
            image_alt: string | null;
            media_url: string | null;
            media_alt: string | null;
            media_captions: {
                [key: string]: string;
            } | null;
            placeholder: string | null;
            /** @enum {string} */
            shuffle: "none" | "random" | "rotate" | "reverse";
            hidden: boolean;
            report_label: string | null;
            no_answers: components["schemas"]["NoAnswersOutput"];
            logic: components["schemas"]["QuestionLogic"] | null;
            translations: components["schemas"]["QuestionTranslations"] | null;
            min_label: string | null;
            max_label: string | null;
        };
        DropdownQuestion: {
            question_id: number;
            page_id: number;
            question_text: string;
            question_code: string;
            question_required: boolean;
            options: components["schemas"]["Option"][];
            retired: boolean;
            outdated_translations: components["schemas"]["OutdatedTranslations"];
            etag: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "dropdown";
            question_settings: components["schemas"]["DropdownSettings"];
        };
        DropdownSettings: {
            variable?: components["schemas"]["ImportedVariable"];
            description: string | null;
            image_url: string | null;
            image_alt: string | null;
            media_url: string | null;
            media_alt: string | null;
            media_captions: {
                [key: string]: string;
            } | null;
            placeholder: string | null;
            /** @enum {string} */
            shuffle: "none" | "random" | "rotate" | "reverse";
            hidden: boolean;
            report_label: string | null;
            no_answers: components["schemas"]["NoAnswersOutput"];
            logic: components["schemas"]["QuestionLogic"] | null;
            translations: components["schemas"]["QuestionTranslations"] | null;
            /** @enum {string} */
            display: "list" | "buttons" | "cards";
            other_label: string | null;
            columns: number;
            searchable: boolean;
            /** @enum {string} */
            measure: "nominal" | "ordinal" | "scale";
        };
        SliderQuestion: {
            question_id: number;
            page_id: number;
            question_text: string;
            question_code: string;
            question_required: boolean;
            options: components["schemas"]["Option"][];
            retired: boolean;
            outdated_translations: components["schemas"]["OutdatedTranslations"];
            etag: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "slider";
            question_settings: components["schemas"]["SliderSettings"];
        };
        SliderSettings: {
            variable?: components["schemas"]["ImportedVariable"];
            description: string | null;
            image_url: string | null;
            image_alt: string | null;
            media_url: string | null;
            media_alt: string | null;
            media_captions: {
                [key: string]: string;
            } | null;
            placeholder: string | null;
            /** @enum {string} */
            shuffle: "none" | "random" | "rotate" | "reverse";
            hidden: boolean;
            report_label: string | null;
            no_answers: components["schemas"]["NoAnswersOutput"];
            logic: components["schemas"]["QuestionLogic"] | null;
            translations: components["schemas"]["QuestionTranslations"] | null;
            min: number;
            max: number;
            step: number;
            start: number | null;
        };
        FileUploadQuestion: {
            question_id: number;
            page_id: number;
            question_text: string;
            question_code: string;
            question_required: boolean;
            options: components["schemas"]["Option"][];
            retired: boolean;
            outdated_translations: components["schemas"]["OutdatedTranslations"];
            etag: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "file_upload";
            question_settings: components["schemas"]["FileUploadSettings"];
        };
        FileUploadSettings: {
            variable?: components["schemas"]["ImportedVariable"];
            description: string | null;
            image_url: string | null;
            image_alt: string | null;
            media_url: string | null;
            media_alt: string | null;
            media_captions: {
                [key: string]: string;
            } | null;
            placeholder: string | null;
            /** @enum {string} */
            shuffle: "none" | "random" | "rotate" | "reverse";
            hidden: boolean;
            report_label: string | null;
            no_answers: components["schemas"]["NoAnswersOutput"];
            logic: components["schemas"]["QuestionLogic"] | null;
            translations: components["schemas"]["QuestionTranslations"] | null;
            max_files: number;
            max_size_mb: number;
            allowed_extensions: string[] | null;
        };
        ConstantSumQuestion: {
            question_id: number;
            page_id: number;
            question_text: string;
            question_code: string;
            question_required: boolean;
            options: components["schemas"]["Option"][];
            retired: boolean;
            outdated_translations: components["schemas"]["OutdatedTranslations"];
            etag: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "constant_sum";
            question_settings: components["schemas"]["ConstantSumSettings"];
        };
        ConstantSumSettings: {
            variable?: components["schemas"]["ImportedVariable"];
            description: string | null;
            image_url: string | null;
            image_alt: string | null;
            media_url: string | null;
            media_alt: string | null;
            media_captions: {
                [key: string]: string;
            } | null;
            placeholder: string | null;
            /** @enum {string} */
            shuffle: "none" | "random" | "rotate" | "reverse";
            hidden: boolean;
            report_label: string | null;
            no_answers: components["schemas"]["NoAnswersOutput"];
            logic: components["schemas"]["QuestionLogic"] | null;
            translations: components["schemas"]["QuestionTranslations"] | null;
            total: number;
            /** @enum {string} */
            total_rule: "equal" | "at_most";
            min: number;
            max: number | null;
            decimals: number;
            prefix: string | null;
            suffix: string | null;
        };
        CalculatedQuestion: {
            question_id: number;
            page_id: number;
            question_text: string;
            question_code: string;
            question_required: boolean;
            options: components["schemas"]["Option"][];
            retired: boolean;
            outdated_translations: components["schemas"]["OutdatedTranslations"];
            etag: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "calculated";
            question_settings: components["schemas"]["CalculatedSettings"];
        };
        CalculatedSettings: {
            variable?: components["schemas"]["ImportedVariable"];
            description: string | null;
            image_url: string | null;
            image_alt: string | null;
            media_url: string | null;
            media_alt: string | null;
            media_captions: {
                [key: string]: string;
            } | null;
            placeholder: string | null;
            /** @enum {string} */
            shuffle: "none" | "random" | "rotate" | "reverse";
            hidden: boolean;
            report_label: string | null;
            no_answers: components["schemas"]["NoAnswersOutput"];
            logic: components["schemas"]["QuestionLogic"] | null;
            translations: components["schemas"]["QuestionTranslations"] | null;
            expression: string;
            /** @enum {string} */
            result: "number" | "text" | "boolean" | "date";
            decimals: number | null;
            prefix: string | null;
            suffix: string | null;
            yes_label: string | null;
            no_label: string | null;
        };
        StatementQuestion: {
            question_id: number;
            page_id: number;
            question_text: string;
            question_code: string;
            question_required: boolean;
            options: components["schemas"]["Option"][];
            retired: boolean;
            outdated_translations: components["schemas"]["OutdatedTranslations"];
            etag: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "statement";
            question_settings: components["schemas"]["StatementSettings"];
        };
        StatementSettings: {
            variable?: components["schemas"]["ImportedVariable"];
            description: string | null;
            image_url: string | null;
            image_alt: string | null;
            media_url: string | null;
            media_alt: string | null;
            media_captions: {
                [key: string]: string;
            } | null;
            placeholder: string | null;
            /** @enum {string} */
            shuffle: "none" | "random" | "rotate" | "reverse";
            hidden: boolean;
            report_label: string | null;
            no_answers: components["schemas"]["NoAnswersOutput"];
            logic: components["schemas"]["QuestionLogic"] | null;
            translations: components["schemas"]["QuestionTranslations"] | null;
            min_seconds: number | null;
        };
        SideBySideQuestion: {
            question_id: number;
            page_id: number;
            question_text: string;
            question_code: string;
            question_required: boolean;
            options: components["schemas"]["Option"][];
            retired: boolean;
            outdated_translations: components["schemas"]["OutdatedTranslations"];
            etag: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "side_by_side";
            question_settings: components["schemas"]["SideBySideSettings"];
        };
        SideBySideSettings: {
            variable?: components["schemas"]["ImportedVariable"];
            description: string | null;
            image_url: string | null;
            image_alt: string | null;
            media_url: string | null;
            media_alt: string | null;
            media_captions: {
                [key: string]: string;
            } | null;
            placeholder: string | null;
            /** @enum {string} */
            shuffle: "none" | "random" | "rotate" | "reverse";
            hidden: boolean;
            report_label: string | null;
            no_answers: components["schemas"]["NoAnswersOutput"];
            logic: components["schemas"]["QuestionLogic"] | null;
            translations: components["schemas"]["QuestionTranslations"] | null;
            rows: components["schemas"]["SideBySideSettingsInputRow"][];
            columns: (components["schemas"]["SideBySideSettingsColumnSingleChoice"] | components["schemas"]["SideBySideSettingsColumnMultipleChoice"] | components["schemas"]["SideBySideSettingsColumnDropdown"] | components["schemas"]["SideBySideSettingsColumnScale"] | components["schemas"]["SideBySideSettingsColumnNumber"] | components["schemas"]["SideBySideSettingsColumnText"])[];
        };
        Block: {
            block_id: number;
            block_code: string;
            block_title: string | null;
            parent_block_id: number | null;
            shown_to_arm: string | null;
            block_arrangement: components["schemas"]["ArrangementOutput"] | null;
            arms: components["schemas"]["ArmOutput"][];
            /** @enum {string} */
            arm_assignment: "random" | "least_filled";
            block_logic: components["schemas"]["BlockLogic"] | null;
            block_loop: components["schemas"]["LoopOutput"] | null;
            page_ids: number[];
            retired: boolean;
            etag: string;
        };
        BlockLogic: {
            display?: components["schemas"]["Condition"];
        };
        GetSurveyResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["SurveyWithPages"];
        };
        UpdateSurveyResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["SurveyWithSettings"];
        };
        SurveyWithSettings: {
            survey_id: number;
            survey_name: string;
            survey_description: string | null;
            survey_status: 0 | 1 | 2 | 3;
            /** @enum {string} */
            survey_type: "quantitative" | "qualitative" | "mixed";
            response_count: number;
            complete_count: number;
            /** @enum {string} */
            collection_status: "not_published" | "open" | "full" | "closed";
            closes_at: string | null;
            response_limit: number | null;
            workspace_id: number;
            /** Format: date-time */
            survey_inserted: string;
            /** Format: date-time */
            survey_updated: string;
            closed_at: string | null;
            published_version: number | null;
            has_unpublished_changes: boolean;
            revision: number;
            last_edited_by: components["schemas"]["SurveyLastEditedBy"] | null;
            survey_settings: components["schemas"]["SurveySettings"];
            quality_settings: components["schemas"]["QualitySettings"];
            survey_arrangement: components["schemas"]["ArrangementOutput"] | null;
            outdated_translations: components["schemas"]["OutdatedTranslations"];
            etag: string;
        };
        UpdateSurveyConflict: {
            /** @constant */
            error: 1;
            message: string;
            code: string;
            details: components["schemas"]["ErrorResponseDetail"][];
            request_id: string;
            current: components["schemas"]["SurveyWithSettings"];
        };
        DeleteSurveyConflict: {
            /** @constant */
            error: 1;
            message: string;
            code: string;
            details: components["schemas"]["ErrorResponseDetail"][];
            request_id: string;
            current: components["schemas"]["SurveyWithSettings"];
        };
        RestoreSurveyResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["SurveyWithSettings"];
        };
        UpdateQualitySettingsResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["QualitySettings"];
        };
        UpdateQualitySettingsConflict: {
            /** @constant */
            error: 1;
            message: string;
            code: string;
            details: components["schemas"]["ErrorResponseDetail"][];
            request_id: string;
            current: components["schemas"]["SurveyWithSettings"];
        };
        PublishSurveyResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Publication"];
        };
        Publication: {
            survey_id: number;
            /** @constant */
            survey_status: 2;
            version: number;
            is_new_version: boolean;
            /** @constant */
            has_unpublished_changes: false;
            links: components["schemas"]["Link"][];
        };
        Link: {
            link_id: number;
            survey_id: number;
            /** @enum {string} */
            link_type: "open" | "unique" | "panel";
            link_name: string;
            link_token: string | null;
            link_slug: string | null;
            link_url: string | null;
            link_quota: number | null;
            response_count: number | null;
            complete_count: number | null;
            /** @enum {string} */
            link_status: "active" | "paused" | "full" | "closed" | "expired";
            wave_id: number | null;
            expires_at: string | null;
            redirects: components["schemas"]["LinkRedirects"];
            requires_signature: boolean;
            signing_key_created_at: string | null;
            entry_mismatch_count: number;
            exit_mismatch_count: number;
            /** Format: date-time */
            created_at: string;
        };
        CheckSurveyResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["PublishCheck"];
        };
        PublishCheck: {
            publishable: boolean;
            problems: components["schemas"]["PublishCheckProblem"][];
            warnings: components["schemas"]["PublishCheckWarning"][];
        };
        CheckedText: {
            field: string;
            question_code?: string;
            text: string;
        };
        DuplicateSurveyResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["SurveyWithSettings"];
        };
        ExportSurveyResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["ExportSurveyData"];
        };
        ExportSurveyData: {
            /** @constant */
            format: "canvass.survey";
            /** @constant */
            version: 1;
            survey: components["schemas"]["ExportSurveyDataSurvey"];
        };
        TranslationSources: {
            [key: string]: {
                [key: string]: string;
            };
        };
        ImportSurveyResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["SurveyWithSettings"];
        };
        ListSurveyVersionsResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["SurveyVersion"][];
            meta: components["schemas"]["ListMeta"];
        };
        SurveyVersion: {
            version: number;
            /** Format: date-time */
            published_at: string;
            published_by: components["schemas"]["SurveyVersionPublishedBy"];
            note: string | null;
            question_count: number;
            is_current: boolean;
        };
        GetSurveyVersionResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["SurveyVersionWithContent"];
        };
        SurveyVersionWithContent: {
            version: number;
            /** Format: date-time */
            published_at: string;
            published_by: components["schemas"]["SurveyVersionPublishedBy"];
            note: string | null;
            question_count: number;
            is_current: boolean;
            survey_name: string;
            survey_description: string | null;
            pages: components["schemas"]["PageWithQuestions"][];
        };
        CompareSurveyVersionsResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["VersionComparison"];
        };
        VersionComparison: {
            version: number;
            other: number | "draft";
            changes: components["schemas"]["VersionChange"][];
        };
        VersionChange: {
            /** @enum {string} */
            kind: "survey_changed" | "page_added" | "page_removed" | "page_moved" | "page_changed" | "page_logic_changed" | "page_order_changed" | "block_added" | "block_removed" | "block_changed" | "question_added" | "question_removed" | "question_moved" | "question_reworded" | "question_changed" | "question_logic_changed" | "question_settings_changed" | "question_translations_changed" | "option_added" | "option_removed" | "option_reworded" | "option_changed" | "options_reordered";
            page_id: number | null;
            question_id: number | null;
            question_code: string | null;
            option_code: number | null;
            field: string | null;
            before: components["schemas"]["JsonValue"];
            after: components["schemas"]["JsonValue"];
            text: string;
        };
        RestoreSurveyVersionResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["RestoredVersion"];
        };
        RestoredVersion: {
            survey_id: number;
            version: number;
            is_changed: boolean;
            remaining_changes: components["schemas"]["VersionChange"][];
            has_unpublished_changes: boolean;
        };
        SurveyEvent: {
            kind: string;
            survey_id: number;
            page_id: number | null;
            question_id: number | null;
            fields: string[];
            revision: number;
            changed_by: components["schemas"]["SurveyLastEditedBy"] | null;
            request_id: string | null;
        };
        GetSurveyDesignResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["SurveyDesign"];
        };
        SurveyDesign: {
            design: components["schemas"]["SamplingDesignOutput"] | null;
            check: components["schemas"]["DesignCheck"] | null;
        };
        DesignCheck: {
            responses: number;
            without_weight: number;
            without_stratum: number;
            without_cluster: number;
            strata: number | null;
            clusters: number | null;
            degrees_of_freedom: number;
            problems: components["schemas"]["FieldError"][];
        };
        SaveSurveyDesignResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["SurveyDesign"];
        };
        GetSurveyLookResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["ShownLook"];
        };
        ShownLook: {
            look: components["schemas"]["Look"];
            sources: components["schemas"]["ShownLookSources"];
        };
        PreviewSurveyResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Preview"];
        };
        Preview: {
            preview_token: string;
            preview_url: string;
            /** Format: date-time */
            expires_at: string;
        };
        ImportSurveyDataResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["SurveyDataImport"];
        };
        SurveyDataImport: {
            dry_run: boolean;
            /** @enum {string} */
            format: "csv" | "xlsx" | "sav";
            delimiter: string | null;
            rows: number;
            created: number;
            failed: number;
            cells: components["schemas"]["SurveyDataImportCells"];
            recognized: components["schemas"]["SurveyDataImportRecognized"];
            errors: components["schemas"]["SurveyDataImportError"][];
            notes: string[];
            survey_id: number | null;
            survey_name: string;
            published_version: number | null;
            questions: number;
            variables: components["schemas"]["SurveyDataImportVariable"][];
        };
        ListPagesResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Page"][];
            meta: components["schemas"]["ListMeta"];
        };
        Page: {
            page_id: number;
            page_title: string | null;
            page_description: string | null;
            page_logic: components["schemas"]["PageLogic"] | null;
            block_id: number | null;
            shown_to_arm: string | null;
            page_arrangement: components["schemas"]["ArrangementOutput"] | null;
            question_ids: number[];
            retired: boolean;
            etag: string;
        };
        CreatePageResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Page"];
        };
        GetPageResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Page"];
        };
        UpdatePageResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Page"];
        };
        UpdatePageConflict: {
            /** @constant */
            error: 1;
            message: string;
            code: string;
            details: components["schemas"]["ErrorResponseDetail"][];
            request_id: string;
            current: components["schemas"]["Page"];
        };
        DeletePageConflict: {
            /** @constant */
            error: 1;
            message: string;
            code: string;
            details: components["schemas"]["ErrorResponseDetail"][];
            request_id: string;
            current: components["schemas"]["Page"];
        };
        ReorderPagesResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Page"][];
            meta: components["schemas"]["ListMeta"];
        };
        ListBlocksResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Block"][];
            meta: components["schemas"]["ListMeta"];
        };
        CreateBlockResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Block"];
        };
        GetBlockResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Block"];
        };
        UpdateBlockResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Block"];
        };
        UpdateBlockConflict: {
            /** @constant */
            error: 1;
            message: string;
            code: string;
            details: components["schemas"]["ErrorResponseDetail"][];
            request_id: string;
            current: components["schemas"]["Block"];
        };
        DeleteBlockConflict: {
            /** @constant */
            error: 1;
            message: string;
            code: string;
            details: components["schemas"]["ErrorResponseDetail"][];
            request_id: string;
            current: components["schemas"]["Block"];
        };
        ListQuestionsResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Question"][];
            meta: components["schemas"]["ListMeta"];
        };
        CreateQuestionResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Question"];
        };
        ListPreviousQuestionsResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Question"][];
            meta: components["schemas"]["ListMeta"];
        };
        GetQuestionResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Question"];
        };
        UpdateQuestionResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Question"];
        };
        UpdateQuestionConflict: {
            /** @constant */
            error: 1;
            message: string;
            code: string;
            details: components["schemas"]["ErrorResponseDetail"][];
            request_id: string;
            current: components["schemas"]["Question"];
        };
        DeleteQuestionConflict: {
            /** @constant */
            error: 1;
            message: string;
            code: string;
            details: components["schemas"]["ErrorResponseDetail"][];
            request_id: string;
            current: components["schemas"]["Question"];
        };
        ReorderQuestionsResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Question"][];
            meta: components["schemas"]["ListMeta"];
        };
        AddSurveyImageResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["SurveyImage"];
        };
        SurveyImage: {
            image_url: string;
            /** @enum {string} */
            content_type: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
            size_bytes: number;
        };
        AddSurveyMediaResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["SurveyMedia"];
        };
        SurveyMedia: {
            media_url: string;
            /** @enum {string} */
            kind: "audio" | "video" | "captions";
            size_bytes: number;
        };
        GetRespondentSurveyResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["OpenedSurvey"];
        };
        OpenedSurvey: {
            survey_name: string;
            survey_description: string | null;
            survey_version: number;
            /** @enum {string} */
            link_type: "open" | "unique" | "panel";
            respondent: components["schemas"]["OpenedSurveyRespondent"] | null;
            is_preview: boolean;
            survey_settings: components["schemas"]["OpenedSurveySurveySettings"];
            pages: components["schemas"]["OpenedSurveyPage"][];
            blocks: components["schemas"]["OpenedSurveyBlock"][];
            survey_arrangement: components["schemas"]["ArrangementOutput"] | null;
            previous_questions: components["schemas"]["RespondentQuestion"][];
            previous_answers: components["schemas"]["Answers"];
            opened: string;
        };
        RespondentQuestion: components["schemas"]["SingleChoiceRespondentQuestion"] | components["schemas"]["MultipleChoiceRespondentQuestion"] | components["schemas"]["TextRespondentQuestion"] | components["schemas"]["NumberRespondentQuestion"] | components["schemas"]["ScaleRespondentQuestion"] | components["schemas"]["MatrixRespondentQuestion"] | components["schemas"]["RankingRespondentQuestion"] | components["schemas"]["DateRespondentQuestion"] | components["schemas"]["NpsRespondentQuestion"] | components["schemas"]["DropdownRespondentQuestion"] | components["schemas"]["SliderRespondentQuestion"] | components["schemas"]["FileUploadRespondentQuestion"] | components["schemas"]["ConstantSumRespondentQuestion"] | components["schemas"]["CalculatedRespondentQuestion"] | components["schemas"]["StatementRespondentQuestion"] | components["schemas"]["SideBySideRespondentQuestion"];
        SingleChoiceRespondentQuestion: {
            question_id: number;
            question_code: string;
            question_text: string;
            question_required: boolean;
            options: components["schemas"]["SingleChoiceRespondentQuestionOption"][];
            question_cell?: components["schemas"]["SingleChoiceRespondentQuestionQuestionCell"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "single_choice";
            question_settings: components["schemas"]["SingleChoiceSettings"] | components["schemas"]["HiddenSettings"];
        };
        HiddenSettings: {
            /** @constant */
            hidden: true;
        };
        MultipleChoiceRespondentQuestion: {
            question_id: number;
            question_code: string;
            question_text: string;
            question_required: boolean;
            options: components["schemas"]["SingleChoiceRespondentQuestionOption"][];
            question_cell?: components["schemas"]["SingleChoiceRespondentQuestionQuestionCell"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "multiple_choice";
            question_settings: components["schemas"]["MultipleChoiceSettings"] | components["schemas"]["HiddenSettings"];
        };
        TextRespondentQuestion: {
            question_id: number;
            question_code: string;
            question_text: string;
            question_required: boolean;
            options: components["schemas"]["SingleChoiceRespondentQuestionOption"][];
            question_cell?: components["schemas"]["SingleChoiceRespondentQuestionQuestionCell"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "text";
            question_settings: components["schemas"]["TextSettings"] | components["schemas"]["HiddenSettings"];
        };
        NumberRespondentQuestion: {
            question_id: number;
            question_code: string;
            question_text: string;
            question_required: boolean;
            options: components["schemas"]["SingleChoiceRespondentQuestionOption"][];
            question_cell?: components["schemas"]["SingleChoiceRespondentQuestionQuestionCell"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "number";
            question_settings: components["schemas"]["NumberSettings"] | components["schemas"]["HiddenSettings"];
        };
        ScaleRespondentQuestion: {
            question_id: number;
            question_code: string;
            question_text: string;
            question_required: boolean;
            options: components["schemas"]["SingleChoiceRespondentQuestionOption"][];
            question_cell?: components["schemas"]["SingleChoiceRespondentQuestionQuestionCell"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "scale";
            question_settings: components["schemas"]["ScaleSettings"] | components["schemas"]["HiddenSettings"];
        };
        MatrixRespondentQuestion: {
            question_id: number;
            question_code: string;
            question_text: string;
            question_required: boolean;
            options: components["schemas"]["SingleChoiceRespondentQuestionOption"][];
            question_cell?: components["schemas"]["SingleChoiceRespondentQuestionQuestionCell"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "matrix";
            question_settings: components["schemas"]["MatrixSettings"] | components["schemas"]["HiddenSettings"];
        };
        RankingRespondentQuestion: {
            question_id: number;
            question_code: string;
            question_text: string;
            question_required: boolean;
            options: components["schemas"]["SingleChoiceRespondentQuestionOption"][];
            question_cell?: components["schemas"]["SingleChoiceRespondentQuestionQuestionCell"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "ranking";
            question_settings: components["schemas"]["RankingSettings"] | components["schemas"]["HiddenSettings"];
        };
        DateRespondentQuestion: {
            question_id: number;
            question_code: string;
            question_text: string;
            question_required: boolean;
            options: components["schemas"]["SingleChoiceRespondentQuestionOption"][];
            question_cell?: components["schemas"]["SingleChoiceRespondentQuestionQuestionCell"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "date";
            question_settings: components["schemas"]["DateSettings"] | components["schemas"]["HiddenSettings"];
        };
        NpsRespondentQuestion: {
            question_id: number;
            question_code: string;
            question_text: string;
            question_required: boolean;
            options: components["schemas"]["SingleChoiceRespondentQuestionOption"][];
            question_cell?: components["schemas"]["SingleChoiceRespondentQuestionQuestionCell"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "nps";
            question_settings: components["schemas"]["NpsSettings"] | components["schemas"]["HiddenSettings"];
        };
        DropdownRespondentQuestion: {
            question_id: number;
            question_code: string;
            question_text: string;
            question_required: boolean;
            options: components["schemas"]["SingleChoiceRespondentQuestionOption"][];
            question_cell?: components["schemas"]["SingleChoiceRespondentQuestionQuestionCell"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "dropdown";
            question_settings: components["schemas"]["DropdownSettings"] | components["schemas"]["HiddenSettings"];
        };
        SliderRespondentQuestion: {
            question_id: number;
            question_code: string;
            question_text: string;
            question_required: boolean;
            options: components["schemas"]["SingleChoiceRespondentQuestionOption"][];
            question_cell?: components["schemas"]["SingleChoiceRespondentQuestionQuestionCell"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "slider";
            question_settings: components["schemas"]["SliderSettings"] | components["schemas"]["HiddenSettings"];
        };
        FileUploadRespondentQuestion: {
            question_id: number;
            question_code: string;
            question_text: string;
            question_required: boolean;
            options: components["schemas"]["SingleChoiceRespondentQuestionOption"][];
            question_cell?: components["schemas"]["SingleChoiceRespondentQuestionQuestionCell"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "file_upload";
            question_settings: components["schemas"]["FileUploadSettings"] | components["schemas"]["HiddenSettings"];
        };
        ConstantSumRespondentQuestion: {
            question_id: number;
            question_code: string;
            question_text: string;
            question_required: boolean;
            options: components["schemas"]["SingleChoiceRespondentQuestionOption"][];
            question_cell?: components["schemas"]["SingleChoiceRespondentQuestionQuestionCell"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "constant_sum";
            question_settings: components["schemas"]["ConstantSumSettings"] | components["schemas"]["HiddenSettings"];
        };
        CalculatedRespondentQuestion: {
            question_id: number;
            question_code: string;
            question_text: string;
            question_required: boolean;
            options: components["schemas"]["SingleChoiceRespondentQuestionOption"][];
            question_cell?: components["schemas"]["SingleChoiceRespondentQuestionQuestionCell"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "calculated";
            question_settings: components["schemas"]["CalculatedSettings"] | components["schemas"]["HiddenSettings"];
        };
        StatementRespondentQuestion: {
            question_id: number;
            question_code: string;
            question_text: string;
            question_required: boolean;
            options: components["schemas"]["SingleChoiceRespondentQuestionOption"][];
            question_cell?: components["schemas"]["SingleChoiceRespondentQuestionQuestionCell"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "statement";
            question_settings: components["schemas"]["StatementSettings"] | components["schemas"]["HiddenSettings"];
        };
        SideBySideRespondentQuestion: {
            question_id: number;
            question_code: string;
            question_text: string;
            question_required: boolean;
            options: components["schemas"]["SingleChoiceRespondentQuestionOption"][];
            question_cell?: components["schemas"]["SingleChoiceRespondentQuestionQuestionCell"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            question_type: "side_by_side";
            question_settings: components["schemas"]["SideBySideSettings"] | components["schemas"]["HiddenSettings"];
        };
        RespondentLoop: {
            max_items: number | null;
            /** @enum {string} */
            order: "fixed" | "random" | "least_filled";
        };
        SubmitResponseResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["SubmittedResponse"];
        };
        SubmittedResponse: {
            response_id: number;
            /** @enum {string} */
            response_status: "complete" | "partial" | "screened_out";
            status_reason: ("screen_out" | "over_quota" | "quality") | null;
            redirect_url: string | null;
            response_token: string | null;
            arms?: {
                [key: string]: string;
            };
        };
        SaveResponsePageResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["SubmissionProgress"];
        };
        SubmissionProgress: {
            response_id: number;
            /** @enum {string} */
            response_status: "complete" | "partial" | "screened_out";
            status_reason: ("screen_out" | "over_quota" | "quality") | null;
            redirect_url: string | null;
            next_page_id: number | null;
            ended: boolean;
            survey_closed: boolean;
            arms?: {
                [key: string]: string;
            };
        };
        ResumeResponseResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["ResumedResponse"];
        };
        ResumedResponse: {
            response_id: number;
            /** @enum {string} */
            response_status: "complete" | "partial" | "screened_out";
            status_reason: ("screen_out" | "over_quota" | "quality") | null;
            redirect_url: string | null;
            next_page_id: number | null;
            ended: boolean;
            survey_closed: boolean;
            arms?: {
                [key: string]: string;
            };
            submission_id: string | null;
            answers: components["schemas"]["Answers"];
            previous_answers: components["schemas"]["Answers"];
            last_page_id: number | null;
            language: string | null;
            hidden: {
                [key: string]: string;
            };
            survey_version: number;
            started_at: string;
            survey: components["schemas"]["RespondentSurvey"];
        };
        RespondentSurvey: {
            survey_name: string;
            survey_description: string | null;
            survey_version: number;
            /** @enum {string} */
            link_type: "open" | "unique" | "panel";
            respondent: components["schemas"]["OpenedSurveyRespondent"] | null;
            is_preview: boolean;
            survey_settings: components["schemas"]["OpenedSurveySurveySettings"];
            pages: components["schemas"]["OpenedSurveyPage"][];
            blocks: components["schemas"]["OpenedSurveyBlock"][];
            survey_arrangement: components["schemas"]["ArrangementOutput"] | null;
            previous_questions: components["schemas"]["RespondentQuestion"][];
        };
        MoveResponseResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["MovedResponse"];
        };
        MovedResponse: {
            response_id: number;
            /** @enum {string} */
            response_status: "complete" | "partial" | "screened_out";
            status_reason: ("screen_out" | "over_quota" | "quality") | null;
            redirect_url: string | null;
            next_page_id: number | null;
            ended: boolean;
            survey_closed: boolean;
            arms?: {
                [key: string]: string;
            };
            submission_id: string | null;
            answers: components["schemas"]["Answers"];
            previous_answers: components["schemas"]["Answers"];
            last_page_id: number | null;
            language: string | null;
            hidden: {
                [key: string]: string;
            };
            survey_version: number;
            started_at: string;
            survey: components["schemas"]["RespondentSurvey"];
            response_token: string;
        };
        CompleteResponseResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["SubmissionOutcome"];
        };
        SubmissionOutcome: {
            response_id: number;
            /** @enum {string} */
            response_status: "complete" | "partial" | "screened_out";
            status_reason: ("screen_out" | "over_quota" | "quality") | null;
            redirect_url: string | null;
            response_token: string;
        };
        UploadResponseFileResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["UploadedFile"];
        };
        UploadedFile: {
            /** Format: uuid */
            file_id: string;
            question_code: string;
            file_name: string;
            content_type: string;
            size_bytes: number;
        };
        ListUploadedFilesResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["UploadedFile"][];
            meta: components["schemas"]["ListMeta"];
        };
        ListLinksResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Link"][];
            meta: components["schemas"]["ListMeta"];
        };
        ChangeLinksResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["LinkBatch"];
        };
        LinkBatch: {
            /** @enum {string} */
            action: "create" | "pause" | "activate" | "delete";
            count: number;
            links?: components["schemas"]["Link"][];
        };
        ListSurveyLinksResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Link"][];
            meta: components["schemas"]["ListMeta"];
        };
        CreateSurveyLinkResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Link"];
        };
        UpdateSurveyLinkResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Link"];
        };
        GetSurveyLinkEmbedResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["LinkEmbed"];
        };
        LinkEmbed: {
            html: string;
            url: string;
        };
        CreateLinkSigningKeyResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["LinkSigningKey"];
        };
        LinkSigningKey: {
            link_id: number;
            signing_key: string;
            /** Format: date-time */
            signing_key_created_at: string;
        };
        ListLinkMismatchesResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["LinkMismatches"];
        };
        LinkMismatches: {
            counts: components["schemas"]["LinkMismatchesCount"][];
            latest: components["schemas"]["LinkMismatchesLatestItem"][];
        };
        InviteToSurveyResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["InvitationResult"];
        };
        InvitationResult: {
            job_id: number | null;
            status_url: string | null;
            campaign_id: number | null;
            send_at: string | null;
            /** @enum {string} */
            delivery: "smtp" | "outbox";
            subject: string;
            message: string;
            queued: number;
            suppressed: number;
            duplicates: number;
            invalid: number;
            rows: components["schemas"]["InvitationResultRow"][];
            notes: string[];
            dry_run: boolean;
        };
        PreviewInvitationResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["InvitationPreview"];
        };
        InvitationPreview: {
            subject: string;
            text: string;
            html: string;
            sent_to: string | null;
        };
        ResendInvitationsResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["ResendResult"];
        };
        ResendResult: {
            job_id: number | null;
            status_url: string | null;
            campaign_id: number | null;
            send_at: string | null;
            /** @enum {string} */
            delivery: "smtp" | "outbox";
            queued: number;
            dry_run: boolean;
        };
        GetInvitationSummaryResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["InvitationSummary"];
        };
        InvitationSummary: {
            survey_id: number;
            /** @enum {string} */
            delivery: "smtp" | "outbox";
            total: number;
            counts: components["schemas"]["InvitationCounts"];
            response_rate: number | null;
            links: components["schemas"]["InvitationSummaryLink"][];
            scheduled: components["schemas"]["ScheduledInvitations"][];
            waiting: components["schemas"]["WaitingInvitations"][];
        };
        InvitationCounts: {
            queued: number;
            kept: number;
            sent: number;
            opened: number;
            started: number;
            completed: number;
            failed: number;
            bounced: number;
            opted_out: number;
            suppressed: number;
        };
        ScheduledInvitations: {
            campaign_id: number;
            link_id: number;
            /** @enum {string} */
            kind: "invitation" | "reminder" | "resend";
            /** Format: date-time */
            send_at: string;
            email_count: number;
        };
        WaitingInvitations: {
            campaign_id: number;
            link_id: number;
            /** @enum {string} */
            kind: "invitation" | "reminder" | "resend";
            email_count: number;
            reason: string;
            /** Format: date-time */
            next_attempt_at: string;
        };
        ListInvitationsResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["SurveyInvitation"][];
            meta: components["schemas"]["ListMeta"];
        };
        SurveyInvitation: {
            invitation_id: number;
            link_id: number;
            wave_id: number | null;
            respondent_id: number;
            email: string | null;
            name: string | null;
            /** @enum {string} */
            invitation_status: "queued" | "kept" | "sent" | "opened" | "started" | "completed" | "failed" | "bounced" | "opted_out" | "suppressed";
            status_note: string | null;
            link_url: string | null;
            mail_count: number;
            /** Format: date-time */
            created_at: string;
            sent_at: string | null;
            opened_at: string | null;
            started_at: string | null;
            completed_at: string | null;
        };
        ListDistributionsResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["InvitationDistribution"][];
            meta: components["schemas"]["ListMeta"];
        };
        InvitationDistribution: {
            survey_id: number;
            survey_name: string;
            wave_id: number | null;
            wave_name: string | null;
            link_id: number;
            link_name: string;
            mails_sent: number;
            last_sent_at: string | null;
            total: number;
            counts: components["schemas"]["InvitationCounts"];
            response_rate: number | null;
        };
        ListRespondentsResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Respondent"][];
            meta: components["schemas"]["ListMeta"];
        };
        Respondent: {
            respondent_id: number;
            email: string | null;
            name: string | null;
            external_id: string | null;
            language: string | null;
            attributes: {
                [key: string]: string | number | boolean;
            };
            opted_out: boolean;
            last_invited_at: string | null;
            completed_count: number;
            /** Format: date-time */
            created_at: string;
        };
        CreateRespondentResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Respondent"];
        };
        CountRespondentsResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["RespondentCount"];
        };
        RespondentCount: {
            count: number;
        };
        GetRespondentResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Respondent"];
        };
        UpdateRespondentResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Respondent"];
        };
        OptOutRespondentResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Respondent"];
        };
        OptInRespondentResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Respondent"];
        };
        ExportRespondentResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["RespondentExport"];
        };
        RespondentExport: {
            respondent: components["schemas"]["Respondent"];
            surveys: components["schemas"]["RespondentExportSurvey"][];
            invitations: components["schemas"]["RespondentExportInvitation"][];
            responses_elsewhere: number;
        };
        ImportRespondentsResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["ImportedRespondents"];
        };
        ImportedRespondents: {
            dry_run: boolean;
            /** @enum {string} */
            format: "csv" | "xlsx" | "sav";
            delimiter: string | null;
            created: number;
            updated: number;
            unchanged: number;
            failed: number;
            columns: components["schemas"]["ImportedRespondentsColumn"][];
            rows: components["schemas"]["ImportedRespondentsRow"][];
            notes: string[];
        };
        ListWavesResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Wave"][];
            meta: components["schemas"]["ListMeta"];
        };
        Wave: {
            wave_id: number;
            survey_id: number;
            wave_name: string;
            /** @enum {string} */
            wave_status: "scheduled" | "active" | "ended";
            wave_start_date: string | null;
            wave_end_date: string | null;
            completed: number;
            target: number | null;
            /** Format: date-time */
            created_at: string;
        };
        CreateWaveResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Wave"];
        };
        CountWavesResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["WaveCount"];
        };
        WaveCount: {
            count: number;
            scheduled: number;
            active: number;
            ended: number;
        };
        ListActiveWavesBySurveyResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["ListActiveWavesBySurveyData"];
        };
        ListActiveWavesBySurveyData: components["schemas"]["ActiveWaves"];
        ActiveWaves: {
            [key: string]: components["schemas"]["Wave"][];
        };
        ListWaveProgressResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["WaveProgress"][];
            meta: components["schemas"]["ListMeta"];
        };
        WaveProgress: {
            wave_id: number;
            survey_id: number;
            wave_name: string;
            /** @enum {string} */
            wave_status: "scheduled" | "active" | "ended";
            wave_start_date: string | null;
            wave_end_date: string | null;
            completed: number;
            target: number | null;
            /** Format: date-time */
            created_at: string;
            percent: number | null;
            partial: number;
            screened_out: number;
            quotas: components["schemas"]["WaveQuota"][];
        };
        WaveQuota: {
            quota_id: number;
            quota_name: string;
            /** @enum {string} */
            mode: "hard" | "soft" | "counter";
            cells: components["schemas"]["WaveQuotaCell"][];
        };
        WaveQuotaCell: {
            cell_id: number;
            cell_label: string;
            target: number | null;
            completed: number;
            pending: number;
            over_quota: number;
            remaining: number | null;
        };
        ListQuotaRulesResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["QuotaRule"][];
            meta: components["schemas"]["ListMeta"];
        };
        QuotaRule: {
            wave_id: number;
            survey_id: number;
            quota_id: number;
            quota_name: string;
            /** @enum {string} */
            mode: "hard" | "soft" | "counter";
            cell_id: number;
            cell_label: string;
            condition: components["schemas"]["Condition"];
            rule: string;
            target: number | null;
            completed: number;
            pending: number;
            over_quota: number;
            remaining: number | null;
        };
        GetWaveQuotasResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["WaveQuotas"];
        };
        WaveQuotas: {
            wave_id: number;
            survey_id: number;
            quotas: components["schemas"]["Quota"][];
        };
        Quota: {
            quota_id: number;
            quota_name: string;
            /** @enum {string} */
            mode: "hard" | "soft" | "counter";
            cells: components["schemas"]["QuotaCell"][];
        };
        QuotaCell: {
            cell_id: number;
            cell_label: string;
            condition: components["schemas"]["Condition"];
            rule: string;
            target: number | null;
            completed: number;
            pending: number;
            over_quota: number;
            remaining: number | null;
        };
        SetWaveQuotasResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["WaveQuotas"];
        };
        GetWaveResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Wave"];
        };
        UpdateWaveResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Wave"];
        };
        ListOutboxResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["OutboxMessage"][];
            meta: components["schemas"]["ListMeta"];
        };
        OutboxMessage: {
            mail_id: number;
            /** Format: date-time */
            kept_at: string;
            survey_id: number;
            link_id: number;
            invitation_id: number;
            respondent_id: number;
            to: components["schemas"]["OutboxMessageTo"];
            subject: string;
            text: string;
            html: string;
            link_url: string;
            unsubscribe_url: string;
        };
        GetGridResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Grid"];
            meta?: components["schemas"]["ListMeta"];
        };
        Grid: {
            columns: components["schemas"]["Column"][];
            rows: components["schemas"]["ResponseRow"][];
        };
        Column: {
            column_code: string;
            label: string;
            question_id: number | null;
            /** @enum {string} */
            type: "categorical" | "multiple" | "binary" | "rank" | "number" | "text" | "date" | "file";
            /** @enum {string} */
            measure: "nominal" | "ordinal" | "scale";
            /** @enum {string} */
            source: "question" | "metadata" | "derived" | "weight";
            values: components["schemas"]["ColumnValue"][];
            no_answers?: components["schemas"]["ColumnNoAnswer"][];
            editable: boolean;
            retired: boolean;
            precision: ("date" | "datetime" | "time" | "month" | "year") | null;
        };
        ResponseRow: {
            response_id: number;
            submission_id: string | null;
            /** @enum {string} */
            response_status: "complete" | "partial" | "screened_out";
            status_reason: string | null;
            end_reason: string | null;
            /** Format: date-time */
            started_at: string;
            completed_at: string | null;
            /** Format: date-time */
            updated_at: string;
            duration_seconds: number | null;
            last_page_id: number | null;
            language: string | null;
            link_id: number | null;
            wave_id: number | null;
            respondent_id: number | null;
            external_id: string | null;
            survey_version: number;
            is_test: boolean;
            edited: boolean;
            deleted: boolean;
            quality: components["schemas"]["ResponseRowQuality"] | null;
            comment_count: number;
            values: {
                [key: string]: string | number | string[] | null;
            };
            no_answers?: {
                [key: string]: "dont_know" | "refused" | "not_applicable";
            };
            not_shown?: string[];
        };
        QualityFlag: {
            /** @enum {string} */
            check: "speeder" | "straightliner" | "duplicate" | "open_end" | "attention_check" | "manual";
            /** @enum {string} */
            severity: "low" | "medium" | "high";
            metric: string;
            value: number | string | null;
            threshold: number | string | null;
            column_codes: string[];
            measures?: {
                [key: string]: number | null;
            };
            /** @enum {string} */
            review: "pending" | "confirmed" | "dismissed";
            reviewed_by: number | null;
            reviewed_at: string | null;
        };
        AddResponsesResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["CreatedResponses"];
        };
        CreatedResponses: {
            created: number;
            existing: number;
            failed: number;
            response_ids: (number | null)[];
            errors: components["schemas"]["CreatedResponsesError"][];
            dropped: components["schemas"]["CreatedResponsesError"][];
        };
        EditResponseResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["EditedResponse"];
        };
        EditedResponse: {
            response_id: number;
            submission_id: string | null;
            /** @enum {string} */
            response_status: "complete" | "partial" | "screened_out";
            status_reason: string | null;
            end_reason: string | null;
            /** Format: date-time */
            started_at: string;
            completed_at: string | null;
            /** Format: date-time */
            updated_at: string;
            duration_seconds: number | null;
            last_page_id: number | null;
            language: string | null;
            link_id: number | null;
            wave_id: number | null;
            respondent_id: number | null;
            external_id: string | null;
            survey_version: number;
            is_test: boolean;
            edited: boolean;
            deleted: boolean;
            quality: components["schemas"]["ResponseRowQuality"] | null;
            comment_count: number;
            values: {
                [key: string]: string | number | string[] | null;
            };
            no_answers?: {
                [key: string]: "dont_know" | "refused" | "not_applicable";
            };
            not_shown?: string[];
            change_id: number | null;
            dry_run: boolean;
        };
        EditResponsesResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["EditOutcome"];
        };
        EditOutcome: {
            change_id: number | null;
            dry_run: boolean;
            processed: number;
            updated: number;
            cells_updated: number;
            unchanged: number;
            failed: number;
            errors: components["schemas"]["EditOutcomeError"][];
        };
        EraseResponseResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["ErasedResponse"];
        };
        ErasedResponse: {
            response_id: number;
            erased: components["schemas"]["ErasedResponseErased"];
        };
        ChangeResponsesResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["EditOutcome"];
        };
        FindAndReplaceResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["EditOutcome"];
        };
        RestoreOriginalsResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["EditOutcome"];
        };
        ListDataChangesResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["DataChange"][];
            meta: components["schemas"]["ListMeta"];
        };
        DataChange: {
            change_id: number;
            operation: string;
            user_id: number | null;
            user_name: string | null;
            reason: string | null;
            column_codes: string[];
            rows_changed: number;
            cells_changed: number;
            details: {
                [key: string]: components["schemas"]["JsonValue"];
            };
            /** Format: date-time */
            created_at: string;
            undone_at: string | null;
            undone_by: number | null;
        };
        ListChangedRowsResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["ChangedResponse"][];
            meta: components["schemas"]["ListMeta"];
        };
        ChangedResponse: {
            response_id: number;
            cells: components["schemas"]["ChangedResponseCell"][];
        };
        UndoDataChangeResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["DataChange"];
        };
        CheckQualityResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["QualityReport"];
        };
        QualityReport: {
            change_id: number | null;
            checked: number;
            flagged: number;
            updated: number;
            summary: components["schemas"]["QualityReportSummaryItem"][];
            responses: components["schemas"]["QualityReportResponse"][];
            responses_truncated: boolean;
            counted: components["schemas"]["CountedResponses"];
        };
        CountedResponses: {
            responses: number;
            test_responses_included: number;
            test_responses_excluded: number;
            quality_included: number;
            quality_excluded: number;
        };
        GetQualityResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["QualityCounts"];
        };
        QualityCounts: {
            responses: number;
            counted: components["schemas"]["CountedResponses"];
            flagged: number;
            pending: number;
            confirmed: number;
            dismissed: number;
            checks: components["schemas"]["QualityCountsCheck"][];
        };
        ReviewQualityFlagsResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["QualityReview"];
        };
        QualityReview: {
            change_id: number | null;
            processed: number;
            updated: number;
            unchanged: number;
        };
        ListCommentsResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["ResponseComment"][];
            meta: components["schemas"]["ListMeta"];
        };
        ResponseComment: {
            comment_id: number;
            response_id: number;
            user_id: number;
            user_name: string;
            comment_text: string;
            /** Format: date-time */
            created_at: string;
        };
        AddCommentResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["ResponseComment"];
        };
        ListResponseFilesResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["ResponseFile"][];
            meta: components["schemas"]["ListMeta"];
        };
        ResponseFile: {
            /** Format: uuid */
            file_id: string;
            response_id: number;
            question_code: string;
            file_name: string;
            content_type: string;
            size_bytes: number;
            sha256: string;
            /** Format: date-time */
            created_at: string;
        };
        JobStartedResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["JobStarted"];
        };
        JobStarted: {
            job_id: number;
            /** Format: uri */
            status_url: string;
        };
        ImportResponsesResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["ImportedResponses"];
        };
        ImportedResponses: {
            dry_run: boolean;
            /** @enum {string} */
            format: "csv" | "xlsx" | "sav";
            delimiter: string | null;
            rows: number;
            created: number;
            failed: number;
            cells: components["schemas"]["SurveyDataImportCells"];
            recognized: components["schemas"]["SurveyDataImportRecognized"];
            errors: components["schemas"]["SurveyDataImportError"][];
            notes: string[];
            existing: number;
            updated: number;
            unchanged: number;
            change_id: number | null;
            columns: components["schemas"]["ImportedResponsesColumn"][];
            missing_columns: string[];
        };
        SeedResponsesResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["SeededResponses"];
        };
        SeededResponses: {
            created: number;
            seed: number;
            complete: number;
            partial: number;
            screened_out: number;
            left_out: string[];
        };
        GetResponseStatsResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["ResponseStats"];
        };
        ResponseStats: {
            total: number;
            complete: number;
            partial: number;
            screened_out: number;
            test: number;
            quality_confirmed: number;
            counted: components["schemas"]["CountedResponses"];
        };
        GetDistributionResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["GetDistributionData"];
        };
        GetDistributionData: components["schemas"]["CountedDistribution"] | components["schemas"]["CountedMatrixDistribution"] | components["schemas"]["CountedRankingDistribution"] | components["schemas"]["CountedNumbersDistribution"];
        CountedDistribution: {
            column_code: string;
            label: string;
            /** @enum {string} */
            type: "categorical" | "multiple" | "binary" | "rank" | "number" | "text" | "date" | "file";
            /** @enum {string} */
            measure: "nominal" | "ordinal" | "scale";
            base: number;
            weighted_base: number | null;
            effective_base: number | null;
            missing: components["schemas"]["DistributionMissing"];
            categories: components["schemas"]["DistributionCategory"][];
            distinct: number;
            truncated: boolean;
            grouped_by: ("interval" | "hour" | "datetime" | "date" | "week" | "month" | "quarter" | "year" | "decade") | null;
            breaks: number[] | null;
            stats: components["schemas"]["DistributionStats"] | null;
            estimates?: components["schemas"]["EstimatedStatistics"] | null;
            convention?: components["schemas"]["IntervalConvention"];
            notes: components["schemas"]["Note"][];
            counted: components["schemas"]["CountedResponses"];
        };
        DistributionMissing: {
            skipped: number;
            not_shown: number;
            not_applicable: number;
            option_missing: number;
            no_answer: components["schemas"]["DistributionMissingNoAnswer"];
            without_weight: number;
        };
        DistributionCategory: {
            code: number | null;
            value: string;
            number: number | null;
            label: string;
            missing: boolean;
            count: number;
            percent: number | null;
            weighted_count: number | null;
            weighted_percent: number | null;
            se?: number | null;
            ci_low?: number | null;
            ci_high?: number | null;
            df?: number | null;
        };
        DistributionStats: {
            mean: number | null;
            median: number | null;
            sd: number | null;
            min: number | null;
            max: number | null;
            p25: number | null;
            p75: number | null;
            nps?: number | null;
        };
        EstimatedStatistics: {
            mean: components["schemas"]["PreciseEstimate"] | null;
            sum: components["schemas"]["PreciseEstimate"] | null;
            median: components["schemas"]["PreciseEstimate"] | null;
            p25: components["schemas"]["PreciseEstimate"] | null;
            p75: components["schemas"]["PreciseEstimate"] | null;
            nps?: components["schemas"]["PreciseEstimate"] | null;
        };
        PreciseEstimate: {
            estimate: number;
            se: number | null;
            ci_low: number | null;
            ci_high: number | null;
            df: number | null;
        };
        IntervalConvention: {
            /** @enum {string} */
            variance: "simple_random" | "weights" | "linearized" | "brr" | "fay" | "jk1" | "jkn" | "bootstrap";
            weight_column: string | null;
            strata: string | null;
            clusters: string | null;
            lonely_clusters: ("fail" | "adjust" | "certainty" | "average") | null;
            /** @enum {string} */
            share_method: "wilson" | "logit" | "beta";
            /** @enum {string} */
            quantile_rule: "hmisc" | "hf7" | "math";
            level: number;
            without_weight: number;
            without_stratum: number;
            without_cluster: number;
        };
        CountedMatrixDistribution: {
            column_code: string;
            label: string;
            answered: number;
            missing: components["schemas"]["DistributionMissing"];
            base: number;
            weighted_base: number | null;
            effective_base: number | null;
            /** @enum {string} */
            base_of: "answering" | "shown" | "all";
            /** @constant */
            type: "matrix";
            rows: components["schemas"]["CountedMatrixDistributionRow"][];
            counted: components["schemas"]["CountedResponses"];
        };
        CountedRankingDistribution: {
            column_code: string;
            label: string;
            answered: number;
            missing: components["schemas"]["DistributionMissing"];
            base: number;
            weighted_base: number | null;
            effective_base: number | null;
            /** @enum {string} */
            base_of: "answering" | "shown" | "all";
            /** @constant */
            type: "ranking";
            options: components["schemas"]["CountedRankingDistributionOption"][];
            counted: components["schemas"]["CountedResponses"];
        };
        CountedNumbersDistribution: {
            column_code: string;
            label: string;
            answered: number;
            missing: components["schemas"]["DistributionMissing"];
            base: number;
            weighted_base: number | null;
            effective_base: number | null;
            /** @enum {string} */
            base_of: "answering" | "shown" | "all";
            /** @constant */
            type: "numbers";
            options: components["schemas"]["CountedNumbersDistributionOption"][];
            counted: components["schemas"]["CountedResponses"];
        };
        GetQuestionDataResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["QuestionData"];
        };
        QuestionData: {
            question_id: number;
            question_code: string;
            /** @enum {string} */
            question_type: "single_choice" | "multiple_choice" | "text" | "number" | "scale" | "matrix" | "ranking" | "date" | "nps" | "dropdown" | "slider" | "file_upload" | "constant_sum" | "calculated" | "statement" | "side_by_side";
            question_text: string;
            columns: components["schemas"]["Column"][];
            distributions: components["schemas"]["Distribution"][];
            whole: (components["schemas"]["MatrixDistribution"] | components["schemas"]["RankingDistribution"] | components["schemas"]["NumbersDistribution"]) | null;
            counted: components["schemas"]["CountedResponses"];
        };
        Distribution: {
            column_code: string;
            label: string;
            /** @enum {string} */
            type: "categorical" | "multiple" | "binary" | "rank" | "number" | "text" | "date" | "file";
            /** @enum {string} */
            measure: "nominal" | "ordinal" | "scale";
            base: number;
            weighted_base: number | null;
            effective_base: number | null;
            missing: components["schemas"]["DistributionMissing"];
            categories: components["schemas"]["DistributionCategory"][];
            distinct: number;
            truncated: boolean;
            grouped_by: ("interval" | "hour" | "datetime" | "date" | "week" | "month" | "quarter" | "year" | "decade") | null;
            breaks: number[] | null;
            stats: components["schemas"]["DistributionStats"] | null;
            estimates?: components["schemas"]["EstimatedStatistics"] | null;
            convention?: components["schemas"]["IntervalConvention"];
            notes: components["schemas"]["Note"][];
        };
        MatrixDistribution: {
            column_code: string;
            label: string;
            answered: number;
            missing: components["schemas"]["DistributionMissing"];
            base: number;
            weighted_base: number | null;
            effective_base: number | null;
            /** @enum {string} */
            base_of: "answering" | "shown" | "all";
            /** @constant */
            type: "matrix";
            rows: components["schemas"]["CountedMatrixDistributionRow"][];
        };
        RankingDistribution: {
            column_code: string;
            label: string;
            answered: number;
            missing: components["schemas"]["DistributionMissing"];
            base: number;
            weighted_base: number | null;
            effective_base: number | null;
            /** @enum {string} */
            base_of: "answering" | "shown" | "all";
            /** @constant */
            type: "ranking";
            options: components["schemas"]["CountedRankingDistributionOption"][];
        };
        NumbersDistribution: {
            column_code: string;
            label: string;
            answered: number;
            missing: components["schemas"]["DistributionMissing"];
            base: number;
            weighted_base: number | null;
            effective_base: number | null;
            /** @enum {string} */
            base_of: "answering" | "shown" | "all";
            /** @constant */
            type: "numbers";
            options: components["schemas"]["CountedNumbersDistributionOption"][];
        };
        CrosstabResponsesResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Crosstab"];
        };
        Crosstab: {
            weight_column: string | null;
            responses: number;
            counted: components["schemas"]["CountedResponses"];
            without_weight: number;
            /** @enum {string} */
            base: "answering" | "shown" | "all";
            min_base: number;
            /** @enum {string} */
            correction: "none" | "bonferroni" | "holm" | "fdr";
            convention?: components["schemas"]["IntervalConvention"];
            test_convention: components["schemas"]["TestConvention"];
            tables: components["schemas"]["CrosstabTable"][];
        };
        TestConvention: {
            compare_with: ("columns" | "total" | "rest" | "previous_wave" | "year_before")[];
            levels: number[];
            /** @enum {string} */
            correction: "none" | "bonferroni" | "holm" | "fdr";
            min_base: number;
            overlapping_columns: boolean;
            /** @enum {string} */
            shares: "pooled_proportions" | "rao_scott_f";
            /** @enum {string} */
            means: "welch" | "linearized_t";
            independent_waves: boolean | null;
        };
        CrosstabVariable: {
            column_codes: string[];
            label: string;
            /** @enum {string} */
            type: "single" | "multiple" | "number";
        };
        CellComparison: {
            difference: number;
            t: number;
            df: number;
            p_value: number;
            direction: ("higher" | "lower") | null;
            level: number | null;
            column?: string;
        };
        CorrelateResponsesResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Correlations"];
        };
        Correlations: {
            weight_column: string | null;
            counted: components["schemas"]["CountedResponses"];
            without_weight: number;
            /** @enum {string} */
            method: "pearson" | "spearman";
            /** @enum {string} */
            missing: "pairwise" | "listwise";
            columns: components["schemas"]["CorrelationsColumn"][];
            pairs: components["schemas"]["CorrelationsPair"][];
        };
        ComputeReliabilityResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Reliability"];
        };
        Reliability: {
            weight_column: string | null;
            counted: components["schemas"]["CountedResponses"];
            without_weight: number;
            /** @enum {string} */
            missing: "pairwise" | "listwise" | "median";
            alpha: number | null;
            standardized_alpha: number | null;
            average_correlation: number | null;
            items: components["schemas"]["ReliabilityItem"][];
            notes: components["schemas"]["ReliabilityNote"][];
        };
        RecodeColumnsResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["NewColumns"];
        };
        NewColumns: {
            columns: components["schemas"]["NewColumn"][];
            counted: components["schemas"]["CountedResponses"];
            overwritten: boolean;
            dry_run: boolean;
            change_id: number | null;
            rows_changed: number;
            cells_changed: number;
        };
        NewColumn: {
            column_code: string;
            label: string;
            question_id: number | null;
            /** @enum {string} */
            type: "categorical" | "multiple" | "binary" | "rank" | "number" | "text" | "date" | "file";
            /** @enum {string} */
            measure: "nominal" | "ordinal" | "scale";
            /** @enum {string} */
            source: "question" | "metadata" | "derived" | "weight";
            values: components["schemas"]["ColumnValue"][];
            no_answers?: components["schemas"]["ColumnNoAnswer"][];
            editable: boolean;
            retired: boolean;
            precision: ("date" | "datetime" | "time" | "month" | "year") | null;
            /** @enum {string} */
            kind: "recode" | "normalize" | "z_scores" | "winsorize" | "bin" | "text" | "computed" | "weight" | "coded";
            definition: components["schemas"]["ColumnDefinition"];
            parameters: components["schemas"]["ColumnParameters"] | null;
            sources: string[];
            preview: components["schemas"]["Distribution"];
        };
        RecodeDefinition: {
            column_code: string;
            filter: (components["schemas"]["Filter"] | null) | null;
            rules: components["schemas"]["RecodeRule"][];
            /** @enum {string} */
            measure?: "nominal" | "ordinal" | "scale";
        };
        RecodeRule: {
            from: (string | number)[] | components["schemas"]["RecodeColumnsRequestRuleFrom"] | ("missing" | "else");
            to: string | number | null;
            label?: string;
        };
        NormalizeDefinition: {
            column_code: string;
            filter: (components["schemas"]["Filter"] | null) | null;
            /** @enum {string} */
            parameters: "live" | "frozen";
            /** @enum {string} */
            outside: "clip" | "missing";
        };
        ZScoresDefinition: {
            column_code: string;
            filter: (components["schemas"]["Filter"] | null) | null;
            /** @enum {string} */
            parameters: "live" | "frozen";
            weight_column: string | null;
        };
        WinsorizeDefinition: {
            column_code: string;
            filter: (components["schemas"]["Filter"] | null) | null;
            /** @enum {string} */
            parameters: "live" | "frozen";
            lower_percentile: number | null;
            upper_percentile: number | null;
            lower_bound: number | null;
            upper_bound: number | null;
        };
        BinDefinition: {
            column_code: string;
            filter: (components["schemas"]["Filter"] | null) | null;
            breaks: number[];
            open_ended: boolean;
        };
        TextDefinition: {
            column_code: string;
            filter: (components["schemas"]["Filter"] | null) | null;
            operations: ("trim" | "lowercase" | "uppercase" | "remove_punctuation" | "collapse_whitespace" | "strip_html" | "nfc")[];
        };
        ComputedDefinition: {
            expression: string;
            /** @enum {string} */
            type: "number" | "text" | "boolean" | "date";
        };
        WeightDefinition: {
            auto_refresh: boolean;
        };
        CodedDefinition: {
            column_code: string;
            /** @enum {string} */
            operation: "sentiment" | "classify" | "themes";
            engine: string;
            model: string;
            responses: number;
            coded_at: string;
        };
        ColumnDefinition: components["schemas"]["RecodeDefinition"] | components["schemas"]["NormalizeDefinition"] | components["schemas"]["ZScoresDefinition"] | components["schemas"]["WinsorizeDefinition"] | components["schemas"]["BinDefinition"] | components["schemas"]["TextDefinition"] | components["schemas"]["ComputedDefinition"] | components["schemas"]["WeightDefinition"] | components["schemas"]["CodedDefinition"];
        ColumnParameters: components["schemas"]["NormalizeParameters"] | components["schemas"]["ZScoresParameters"] | components["schemas"]["WinsorizeParameters"] | components["schemas"]["BinParameters"];
        NormalizeParameters: {
            min: number | null;
            max: number | null;
            frozen: boolean;
            /** @enum {string} */
            outside: "clip" | "missing";
            outside_count: number;
        };
        ZScoresParameters: {
            mean: number | null;
            sd: number | null;
            frozen: boolean;
            weight_column: string | null;
        };
        WinsorizeParameters: {
            lower_bound: number | null;
            upper_bound: number | null;
            frozen: boolean;
            outside_count: number;
        };
        BinParameters: {
            breaks: number[];
        };
        NormalizeColumnsResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["NewColumns"];
        };
        StandardizeColumnsResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["NewColumns"];
        };
        WinsorizeColumnsResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["NewColumns"];
        };
        BinColumnsResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["NewColumns"];
        };
        CleanTextsResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["NewColumns"];
        };
        AddComputedColumnResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["NewColumns"];
        };
        ListDerivedColumnsResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["ListDerivedColumnsData"];
        };
        ListDerivedColumnsData: components["schemas"]["DerivedColumn"][];
        DerivedColumn: {
            column_code: string;
            label: string;
            question_id: number | null;
            /** @enum {string} */
            type: "categorical" | "multiple" | "binary" | "rank" | "number" | "text" | "date" | "file";
            /** @enum {string} */
            measure: "nominal" | "ordinal" | "scale";
            /** @enum {string} */
            source: "question" | "metadata" | "derived" | "weight";
            values: components["schemas"]["ColumnValue"][];
            no_answers?: components["schemas"]["ColumnNoAnswer"][];
            editable: boolean;
            retired: boolean;
            precision: ("date" | "datetime" | "time" | "month" | "year") | null;
            /** @enum {string} */
            kind: "recode" | "normalize" | "z_scores" | "winsorize" | "bin" | "text" | "computed" | "weight" | "coded";
            definition: components["schemas"]["ColumnDefinition"];
            parameters: components["schemas"]["ColumnParameters"] | null;
            sources: string[];
            used_by: string[];
            problem: string | null;
            created_by: number | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        GetDerivedColumnResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["DerivedColumn"];
        };
        ChangeDerivedColumnResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["ChangedColumn"];
        };
        ChangedColumn: {
            column: components["schemas"]["DerivedColumn"];
            change_id: number | null;
            dry_run: boolean;
        };
        PreviewWeightingResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Weighting"];
        };
        Weighting: {
            counted: components["schemas"]["CountedResponses"];
            converged: boolean;
            iterations: number;
            max_error: number;
            rms: number;
            unweighted_base: number;
            weighted_base: number;
            effective_base: number;
            design_effect: number;
            weighting_efficiency: number;
            min_weight: number;
            max_weight: number;
            trimmed: number;
            dimensions: components["schemas"]["WeightingDimension"][];
            histogram: components["schemas"]["WeightingHistogramItem"][];
            without_limits: components["schemas"]["WeightingWithoutLimits"] | null;
            warnings: components["schemas"]["Note"][];
        };
        CreateWeightingResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["WeightResult"];
        };
        WeightResult: {
            column_code: string;
            dry_run: boolean;
            change_id: number | null;
            counted: components["schemas"]["CountedResponses"];
            converged: boolean;
            iterations: number;
            max_error: number;
            rms: number;
            unweighted_base: number;
            weighted_base: number;
            effective_base: number;
            design_effect: number;
            weighting_efficiency: number;
            min_weight: number;
            max_weight: number;
            trimmed: number;
            dimensions: components["schemas"]["WeightingDimension"][];
            histogram: components["schemas"]["WeightingHistogramItem"][];
            without_limits: components["schemas"]["WeightingWithoutLimits"] | null;
            warnings: components["schemas"]["Note"][];
        };
        ListWeightsResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Weight"][];
            meta: components["schemas"]["ListMeta"];
        };
        Weight: {
            column_code: string;
            label: string;
            auto_refresh: boolean;
            stale: boolean;
            responses: number;
            /** Format: date-time */
            made_at: string;
            request: components["schemas"]["WeightRequest"];
        };
        WeightRequest: {
            filter: (components["schemas"]["Filter"] | null) | null;
            status: ("complete" | "partial" | "screened_out")[];
            include_test: boolean | null;
            /** @enum {string} */
            quality: "exclude_confirmed" | "include_all";
            dimensions: components["schemas"]["WeightRequestDimension"][];
            /** @enum {string} */
            target_type: "percent" | "proportion" | "count";
            base_weight_column: string | null;
            max_iterations: number;
            tolerance: number;
            min_weight: number | null;
            max_weight: number | null;
            /** @enum {string} */
            missing: "keep_share" | "exclude" | "error";
            scale_to: "sample" | number;
            allow_unconverged: boolean;
        };
        GetWeightResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Weight"];
        };
        RefreshWeightResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["WeightResult"];
        };
        ListDashboardsResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["ListedDashboard"][];
            meta: components["schemas"]["ListMeta"];
        };
        ListedDashboard: {
            dashboard_id: number;
            workspace_id: number;
            dashboard_name: string;
            dashboard_description: string | null;
            dashboard_slug: string;
            organization_slug: string;
            dashboard_settings: components["schemas"]["DashboardSettings"];
            /** @enum {string} */
            open_to: "members" | "public" | "password";
            public_url: string | null;
            revision: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            page_count: number;
            chart_count: number;
            deleted_at: string | null;
        };
        DashboardSettings: {
            /** @enum {string} */
            theme: "auto" | "light" | "dark";
            color: string | null;
            min_base: number;
        };
        CreateDashboardResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Dashboard"];
        };
        Dashboard: {
            dashboard_id: number;
            workspace_id: number;
            dashboard_name: string;
            dashboard_description: string | null;
            dashboard_slug: string;
            organization_slug: string;
            dashboard_settings: components["schemas"]["DashboardSettings"];
            /** @enum {string} */
            open_to: "members" | "public" | "password";
            public_url: string | null;
            revision: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        CheckDashboardSlugResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["SlugCheck"];
        };
        SlugCheck: {
            slug: string;
            available: boolean;
        };
        GetDashboardResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["DashboardWithPages"];
        };
        DashboardWithPages: {
            dashboard_id: number;
            workspace_id: number;
            dashboard_name: string;
            dashboard_description: string | null;
            dashboard_slug: string;
            organization_slug: string;
            dashboard_settings: components["schemas"]["DashboardSettings"];
            /** @enum {string} */
            open_to: "members" | "public" | "password";
            public_url: string | null;
            revision: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            my_role: ("viewer" | "editor" | "owner") | null;
            pages: components["schemas"]["DashboardPage"][];
            charts: components["schemas"]["DashboardChart"][];
        };
        DashboardPage: {
            page_id: number;
            page_title: string | null;
            chart_ids: number[];
        };
        DashboardChart: components["schemas"]["FigureDashboardChart"] | components["schemas"]["TextDashboardChart"] | components["schemas"]["FilterDashboardChart"] | components["schemas"]["VariableDashboardChart"];
        FigureDashboardChart: {
            chart_id: number;
            page_id: number;
            chart_title: string | null;
            position: components["schemas"]["ChartPosition"] | null;
            survey_deleted: boolean;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            chart_type: "bar" | "horizontal-bar" | "stacked-bar" | "line" | "area" | "line-bar" | "pie" | "donut" | "histogram" | "radar" | "gauge" | "kpi" | "table";
            chart_config: components["schemas"]["FigureChartConfigOutput"];
        };
        TextDashboardChart: {
            chart_id: number;
            page_id: number;
            chart_title: string | null;
            position: components["schemas"]["ChartPosition"] | null;
            survey_deleted: boolean;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            chart_type: "text";
            chart_config: components["schemas"]["TextChartConfig"];
        };
        FilterDashboardChart: {
            chart_id: number;
            page_id: number;
            chart_title: string | null;
            position: components["schemas"]["ChartPosition"] | null;
            survey_deleted: boolean;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            chart_type: "filter";
            chart_config: components["schemas"]["FilterChartConfigOutput"];
        };
        VariableDashboardChart: {
            chart_id: number;
            page_id: number;
            chart_title: string | null;
            position: components["schemas"]["ChartPosition"] | null;
            survey_deleted: boolean;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            chart_type: "variable";
            chart_config: components["schemas"]["VariableChartConfigOutput"];
        };
        UpdateDashboardResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Dashboard"];
        };
        RestoreDashboardResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Dashboard"];
        };
        DuplicateDashboardResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Dashboard"];
        };
        CreateDashboardPageResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["DashboardPage"];
        };
        ReorderDashboardPagesResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["DashboardWithPages"];
        };
        UpdateDashboardPageResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["DashboardPage"];
        };
        CreateDashboardChartResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["DashboardChart"];
        };
        ReorderDashboardChartsResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["DashboardWithPages"];
        };
        UpdateDashboardChartResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["DashboardChart"];
        };
        GetChartDataResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["ChartData"];
        };
        ChartData: components["schemas"]["ChartFigures"] | components["schemas"]["VariableFigure"] | components["schemas"]["FilterOptions"] | components["schemas"]["ChartText"];
        ChartFigures: {
            /** @enum {string} */
            chart_type: "bar" | "horizontal-bar" | "stacked-bar" | "line" | "area" | "line-bar" | "pie" | "donut" | "histogram" | "radar" | "gauge" | "kpi" | "table";
            dimension: components["schemas"]["ChartColumn"];
            series_by: components["schemas"]["ChartColumn"] | null;
            aggregation: components["schemas"]["ChartFiguresAggregation"];
            binning?: components["schemas"]["ChartFiguresBinning"];
            categories: components["schemas"]["ChartFiguresCategory"][];
            series: components["schemas"]["ChartFiguresSeriesItem"][];
            base: components["schemas"]["ChartBase"] | null;
            /** @constant */
            suppressed?: true;
            notes: components["schemas"]["Note"][];
            filters_applied: components["schemas"]["ChartFiguresFiltersAppliedItem"][];
            data_version: string;
            counted?: components["schemas"]["CountedResponses"];
        };
        ChartColumn: {
            column_code: string;
            label: string;
            /** @enum {string} */
            measure: "nominal" | "ordinal" | "scale";
        };
        ChartBase: {
            unweighted: number;
            weighted: number;
            effective: number;
        };
        Note: {
            code: string;
            message: string;
        };
        VariableFigure: {
            /** @constant */
            chart_type: "variable";
            dimension: components["schemas"]["ChartColumn"];
            /** @enum {string} */
            metric: "base" | "count" | "sum" | "mean";
            value: number | null;
            base: components["schemas"]["ChartBase"] | null;
            previous?: number | null;
            change?: number | null;
            waves?: components["schemas"]["VariableFigureWaves"];
            sparkline?: components["schemas"]["VariableFigureSparklineItem"][];
            /** @constant */
            suppressed?: true;
            notes: components["schemas"]["Note"][];
            filters_applied: components["schemas"]["ChartFiguresFiltersAppliedItem"][];
            data_version: string;
            counted?: components["schemas"]["CountedResponses"];
        };
        FilterOptions: {
            /** @constant */
            chart_type: "filter";
            dimension: components["schemas"]["ChartColumn"];
            multiple: boolean;
            options: components["schemas"]["FilterOptionsOption"][];
            filters_applied: components["schemas"]["ChartFiguresFiltersAppliedItem"][];
            data_version: string;
            counted?: components["schemas"]["CountedResponses"];
        };
        ChartText: {
            /** @constant */
            chart_type: "text";
            text: string;
        };
        GetChartDataBatchResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["GetChartDataBatchData"];
        };
        GetChartDataBatchData: (components["schemas"]["ChartData"] | components["schemas"]["ChartError"])[];
        ChartError: {
            error: components["schemas"]["ChartErrorError"];
        };
        ListDashboardSharesResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["DashboardShare"][];
            meta: components["schemas"]["ListMeta"];
        };
        DashboardShare: {
            share_id: number;
            /** @enum {string} */
            share_type: "public" | "password" | "user" | "group";
            user_id: number | null;
            user_name: string | null;
            group_id: number | null;
            group_name: string | null;
            public_url: string | null;
            /** Format: date-time */
            created_at: string;
        };
        CreateDashboardShareResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["DashboardShare"];
        };
        GetPublicDashboardResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["PublicDashboard"];
        };
        PublicDashboard: {
            dashboard_name: string;
            dashboard_description: string | null;
            dashboard_slug: string;
            organization_name: string;
            organization_slug: string;
            dashboard_settings: components["schemas"]["DashboardSettings"];
            pages: components["schemas"]["DashboardPage"][];
            charts: components["schemas"]["DashboardChart"][];
            figures?: (components["schemas"]["ChartData"] | components["schemas"]["ChartError"])[];
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            as_of: string;
        };
        UnlockPublicDashboardResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["UnlockPublicDashboardData"];
        };
        UnlockPublicDashboardData: {
            /** @constant */
            unlocked: true;
        };
        GetPublicChartDataResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["ChartData"];
        };
        GetPublicChartDataBatchResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["GetPublicChartDataBatchData"];
        };
        GetPublicChartDataBatchData: (components["schemas"]["ChartData"] | components["schemas"]["ChartError"])[];
        ListReportsResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["ListedReport"][];
            meta: components["schemas"]["ListMeta"];
        };
        ListedReport: {
            report_id: number;
            workspace_id: number;
            report_name: string;
            report_description: string | null;
            report_settings: components["schemas"]["ReportSettings"];
            revision: number;
            slide_count: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            deleted_at: string | null;
        };
        ReportSettings: {
            /** @enum {string} */
            page_size: "16:9" | "a4";
            color: string | null;
            colors: string[];
            font: string | null;
            logo_image_id: number | null;
            footer: string | null;
            language: string;
        };
        CreateReportResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Report"];
        };
        Report: {
            report_id: number;
            workspace_id: number;
            report_name: string;
            report_description: string | null;
            report_settings: components["schemas"]["ReportSettings"];
            revision: number;
            slide_count: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        GetReportResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["ReportWithSlides"];
        };
        ReportWithSlides: {
            report_id: number;
            workspace_id: number;
            report_name: string;
            report_description: string | null;
            report_settings: components["schemas"]["ReportSettings"];
            revision: number;
            slide_count: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @enum {string} */
            my_role: "viewer" | "editor" | "owner";
            slides: components["schemas"]["ReportSlide"][];
        };
        ReportSlide: components["schemas"]["TitleReportSlide"] | components["schemas"]["SectionReportSlide"] | components["schemas"]["TextReportSlide"] | components["schemas"]["ChartReportSlide"] | components["schemas"]["TableReportSlide"] | components["schemas"]["ImageReportSlide"] | components["schemas"]["KeyFiguresReportSlide"] | components["schemas"]["AppendixReportSlide"];
        TitleReportSlide: {
            slide_id: number;
            slide_order: number;
            slide_title: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            slide_type: "TitleReportSlide";
            slide_content: components["schemas"]["TitleSlideContent"];
        };
        SectionReportSlide: {
            slide_id: number;
            slide_order: number;
            slide_title: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            slide_type: "section";
            slide_content: components["schemas"]["SectionSlideContent"];
        };
        TextReportSlide: {
            slide_id: number;
            slide_order: number;
            slide_title: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            slide_type: "text";
            slide_content: components["schemas"]["TextSlideContent"];
        };
        ChartReportSlide: {
            slide_id: number;
            slide_order: number;
            slide_title: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            slide_type: "chart";
            slide_content: components["schemas"]["ChartSlideContentOutput"];
        };
        TableReportSlide: {
            slide_id: number;
            slide_order: number;
            slide_title: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            slide_type: "table";
            slide_content: components["schemas"]["TableSlideContentOutput"];
        };
        ImageReportSlide: {
            slide_id: number;
            slide_order: number;
            slide_title: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            slide_type: "image";
            slide_content: components["schemas"]["ImageSlideContent"];
        };
        KeyFiguresReportSlide: {
            slide_id: number;
            slide_order: number;
            slide_title: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            slide_type: "key-figures";
            slide_content: components["schemas"]["KeyFiguresSlideContentOutput"];
        };
        AppendixReportSlide: {
            slide_id: number;
            slide_order: number;
            slide_title: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            slide_type: "appendix";
            slide_content: components["schemas"]["AppendixSlideContentOutput"];
        };
        UpdateReportResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Report"];
        };
        RestoreReportResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Report"];
        };
        DuplicateReportResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Report"];
        };
        CreateReportFromDashboardResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["ReportWithSlides"];
        };
        PreviewReportResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["ReportPreview"];
        };
        ReportPreview: {
            slides: components["schemas"]["PreviewSlide"][];
            shown_slides: number;
        };
        PreviewSlide: {
            /** @enum {string} */
            slide_type: "title" | "section" | "text" | "chart" | "table" | "image" | "key-figures" | "method";
            title: string | null;
            part: components["schemas"]["PreviewSlidePart"] | null;
            notes: string;
            subtitle: string | null;
            text_html: string | null;
            charts: components["schemas"]["PreviewSlideChart"][];
            figures: components["schemas"]["PreviewSlideFigure"][];
            table: components["schemas"]["SlideTable"] | null;
            image: components["schemas"]["PreviewSlideImage"] | null;
            problem: string | null;
            methods: components["schemas"]["PreviewSlideMethod"][];
        };
        SlideTable: {
            corner: string;
            columns: components["schemas"]["SlideTableColumn"][];
            rows: components["schemas"]["SlideTableRow"][];
            source: string[];
        };
        CreateReportSlideResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["ReportSlide"];
        };
        ReorderReportSlidesResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["ReportWithSlides"];
        };
        UpdateReportSlideResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["ReportSlide"];
        };
        DuplicateReportSlideResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["ReportSlide"];
        };
        ListReportImagesResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["ReportImage"][];
            meta: components["schemas"]["ListMeta"];
        };
        ReportImage: {
            image_id: number;
            /** @enum {string} */
            content_type: "image/png" | "image/jpeg";
            width: number;
            height: number;
            size_bytes: number;
            /** Format: date-time */
            created_at: string;
        };
        AddReportImageResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["ReportImage"];
        };
        CreateChatSessionResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["ChatSession"];
        };
        ChatSession: {
            /** Format: uuid */
            session_id: string;
            survey_id: number | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            last_message_at: string;
            messages: components["schemas"]["ChatMessage"][];
        };
        ChatMessage: {
            message_id: number;
            /** @enum {string} */
            role: "user" | "assistant";
            content: string;
            figures: components["schemas"]["ChatFigure"][];
            unsupported_numbers: string[];
            /** @enum {string} */
            state: "answering" | "complete" | "stopped" | "failed";
            /** Format: date-time */
            created_at: string;
        };
        ChatFigure: {
            function: string;
            arguments: {
                [key: string]: string | number | null;
            };
            base: number | null;
            counted: components["schemas"]["CountedResponses"] | null;
            result: {
                [key: string]: components["schemas"]["JsonValue"];
            };
        };
        ListChatSessionsResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["ListedChatSession"][];
            meta: components["schemas"]["ListMeta"];
        };
        ListedChatSession: {
            /** Format: uuid */
            session_id: string;
            survey_id: number | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            last_message_at: string;
            survey_name: string | null;
            message_count: number;
            first_message: string | null;
        };
        GetChatSessionResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["ChatSession"];
        };
        ChatEvent: components["schemas"]["ChatStartEvent"] | components["schemas"]["ChatDeltaEvent"] | components["schemas"]["ChatFiguresEvent"] | components["schemas"]["ChatDoneEvent"] | components["schemas"]["ChatErrorEvent"];
        ChatStartEvent: {
            /** Format: uuid */
            session_id: string;
            message_id: number;
            /** @enum {string} */
            engine: "openai" | "built-in";
            model: string;
        };
        ChatDeltaEvent: {
            text: string;
        };
        ChatFiguresEvent: {
            figures: components["schemas"]["ChatFigure"][];
        };
        ChatDoneEvent: {
            /** Format: uuid */
            session_id: string;
            message_id: number;
            usage: components["schemas"]["TokenUsage"];
            credits_used: number;
            credits_remaining: number;
            figures: components["schemas"]["ChatFigure"][];
            unsupported_numbers: string[];
        };
        ChatErrorEvent: {
            message: string;
            code: string;
        };
        AnalyzeSentimentResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["SentimentAnalysis"];
        };
        SentimentAnalysis: {
            /** @enum {string} */
            engine: "openai" | "built-in";
            model: string;
            method: string;
            question_id: number;
            texts: components["schemas"]["AnalyzedTexts"];
            counted: components["schemas"]["CountedResponses"];
            saved_as: components["schemas"]["SavedColumn"] | null;
            usage: components["schemas"]["TokenUsage"];
            credits_used: number;
            credits_remaining: number;
            summary: components["schemas"]["SentimentAnalysisSummary"];
            results: components["schemas"]["SentimentAnalysisResult"][];
        };
        AnalyzedTexts: {
            read: number;
            of: number;
            blank: number;
        };
        SavedColumn: {
            column_code: string;
            label: string;
            responses: number;
            change_id: number | null;
        };
        TokenUsage: {
            input_tokens: number;
            output_tokens: number;
        };
        FindThemesResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["ThemeAnalysis"];
        };
        ThemeAnalysis: {
            /** @enum {string} */
            engine: "openai" | "built-in";
            model: string;
            method: string;
            question_id: number;
            texts: components["schemas"]["AnalyzedTexts"];
            counted: components["schemas"]["CountedResponses"];
            saved_as: components["schemas"]["SavedColumn"] | null;
            usage: components["schemas"]["TokenUsage"];
            credits_used: number;
            credits_remaining: number;
            base: number;
            proposed_from: number;
            themes: components["schemas"]["ThemeAnalysisTheme"][];
            without_theme: components["schemas"]["ThemeAnalysisWithoutTheme"];
        };
        TextExample: {
            response_id: number;
            text: string;
        };
        ClassifyTextsResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Classification"];
        };
        Classification: {
            /** @enum {string} */
            engine: "openai" | "built-in";
            model: string;
            method: string;
            question_id: number;
            texts: components["schemas"]["AnalyzedTexts"];
            counted: components["schemas"]["CountedResponses"];
            saved_as: components["schemas"]["SavedColumn"] | null;
            usage: components["schemas"]["TokenUsage"];
            credits_used: number;
            credits_remaining: number;
            proposed: boolean;
            base: number;
            categories: components["schemas"]["ClassificationCategory"][];
            uncategorized: components["schemas"]["ThemeAnalysisWithoutTheme"];
            results: components["schemas"]["ClassificationResult"][];
        };
        SuggestCategoriesResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["CategorySuggestions"];
        };
        CategorySuggestions: {
            /** @enum {string} */
            engine: "openai" | "built-in";
            model: string;
            method: string;
            question_id: number;
            texts: components["schemas"]["AnalyzedTexts"];
            counted: components["schemas"]["CountedResponses"];
            saved_as: components["schemas"]["SavedColumn"] | null;
            usage: components["schemas"]["TokenUsage"];
            credits_used: number;
            credits_remaining: number;
            categories: components["schemas"]["CategorySuggestionsCategory"][];
        };
        SummarizeTextsResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["TextSummary"];
        };
        TextSummary: {
            /** @enum {string} */
            engine: "openai" | "built-in";
            model: string;
            method: string;
            question_id: number;
            texts: components["schemas"]["AnalyzedTexts"];
            counted: components["schemas"]["CountedResponses"];
            saved_as: components["schemas"]["SavedColumn"] | null;
            usage: components["schemas"]["TokenUsage"];
            credits_used: number;
            credits_remaining: number;
            summary: string | null;
            points: components["schemas"]["TextSummaryPoint"][];
            basis: string;
        };
        TranslateTextsResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Translation"];
        };
        Translation: {
            /** @enum {string} */
            engine: "openai" | "built-in";
            model: string;
            method: string;
            question_id: number;
            texts: components["schemas"]["AnalyzedTexts"];
            counted: components["schemas"]["CountedResponses"];
            saved_as: components["schemas"]["SavedColumn"] | null;
            usage: components["schemas"]["TokenUsage"];
            credits_used: number;
            credits_remaining: number;
            target_language: string;
            languages: components["schemas"]["TranslationLanguage"][];
            results: components["schemas"]["TranslationResult"][];
        };
        FindInsightsResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Findings"];
        };
        Findings: {
            /** @enum {string} */
            engine: "openai" | "built-in";
            model: string;
            method: string;
            results: components["schemas"]["FindingsResult"][];
            basis: string;
            counted: components["schemas"]["CountedResponses"];
            tested: components["schemas"]["FindingsTested"];
            usage: components["schemas"]["TokenUsage"];
            credits_used: number;
            credits_remaining: number;
        };
        FindAnomaliesResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Findings"];
        };
        GetMeResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["CurrentUser"];
        };
        CurrentUser: {
            user_id: number;
            user_email: string;
            user_name: string;
            /** @enum {number} */
            user_type: 1 | 2 | 3;
            /** @enum {string} */
            user_role: "superadmin" | "admin" | "member" | "client";
            /** @enum {number} */
            user_status: 0 | 1 | 2 | 3;
            ai_access: boolean;
            avatar_url: string | null;
            last_login_at: string | null;
            email_confirmed: boolean;
            organization: components["schemas"]["Organization"];
            can_publish_dashboards: boolean;
            deleted_retention_days: number;
            home_organization_id?: number;
        };
        Organization: {
            organization_id: number;
            organization_name: string;
            organization_slug: string;
        };
        ListUsersResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["User"][];
            meta: components["schemas"]["ListMeta"];
        };
        User: {
            user_id: number;
            user_email: string;
            user_name: string;
            /** @enum {number} */
            user_type: 1 | 2 | 3;
            /** @enum {string} */
            user_role: "superadmin" | "admin" | "member" | "client";
            /** @enum {number} */
            user_status: 0 | 1 | 2 | 3;
            ai_access: boolean;
            avatar_url: string | null;
            last_login_at: string | null;
            email_confirmed: boolean;
        };
        CreateUserResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["User"];
        };
        GetUserResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["User"];
        };
        UpdateUserResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["User"];
        };
        ApproveUserResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["User"];
        };
        RejectUserResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["User"];
        };
        SuspendUserResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["User"];
        };
        ReactivateUserResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["User"];
        };
        SetUserAiAccessResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["User"];
        };
        SendPasswordLinkResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["PasswordLink"];
        };
        PasswordLink: {
            /** @enum {string} */
            delivery: "smtp" | "none";
            reset_url: string | null;
        };
        ConfirmUserEmailResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["EmailConfirmation"];
        };
        EmailConfirmation: {
            /** @enum {string} */
            delivery: "smtp" | "none";
            user: components["schemas"]["User"];
        };
        ListUserDashboardsResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["UserDashboard"][];
            meta: components["schemas"]["ListMeta"];
        };
        UserDashboard: {
            dashboard_id: number;
            dashboard_name: string;
            workspace_id: number;
            granted_directly: boolean;
            group_ids: number[];
        };
        SetUserDashboardsResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["UserDashboard"][];
            meta: components["schemas"]["ListMeta"];
        };
        SetUserAvatarResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["User"];
        };
        ListGroupsResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Group"][];
            meta: components["schemas"]["ListMeta"];
        };
        Group: {
            group_id: number;
            group_name: string;
            group_description: string | null;
            group_color: string;
            member_count: number;
            dashboard_count: number;
            /** Format: date-time */
            created_at: string;
        };
        CreateGroupResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Group"];
        };
        UpdateGroupResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Group"];
        };
        ListGroupMembersResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["GroupMember"][];
            meta: components["schemas"]["ListMeta"];
        };
        GroupMember: {
            user_id: number;
            user_name: string;
            user_email: string;
            /** @enum {number} */
            user_type: 1 | 2 | 3;
            /** @enum {string} */
            user_role: "superadmin" | "admin" | "member" | "client";
            /** @enum {number} */
            user_status: 0 | 1 | 2 | 3;
            /** Format: date-time */
            added_at: string;
        };
        AddGroupMembersResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["GroupMember"][];
            meta: components["schemas"]["ListMeta"];
        };
        ListGroupDashboardsResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["SharedDashboard"][];
            meta: components["schemas"]["ListMeta"];
        };
        SharedDashboard: {
            dashboard_id: number;
            dashboard_name: string;
            workspace_id: number;
        };
        SetGroupDashboardsResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["SharedDashboard"][];
            meta: components["schemas"]["ListMeta"];
        };
        ListInviteLinksResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["InviteLink"][];
            meta: components["schemas"]["ListMeta"];
        };
        InviteLink: {
            invite_id: number;
            invite_token: string;
            invite_url: string;
            invite_role: number;
            /** @enum {string} */
            user_role: "admin" | "member" | "client";
            invite_max_uses: number | null;
            invite_uses: number;
            expires_at: string | null;
            /** @enum {string} */
            invite_status: "active" | "used_up" | "expired";
            /** Format: date-time */
            created_at: string;
        };
        CreateInviteLinkResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["InviteLink"];
        };
        GetOrganizationResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Organization"];
        };
        UpdateOrganizationResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Organization"];
        };
        ListOrganizationsResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Organization"][];
            meta: components["schemas"]["ListMeta"];
        };
        SetCurrentOrganizationResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Organization"];
        };
        GetInvitationResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["InviteLinkDetails"];
        };
        InviteLinkDetails: {
            organization_name: string;
            invite_role: number;
            /** @enum {string} */
            user_role: "admin" | "member" | "client";
            expires_at: string | null;
        };
        GetCreditBalanceResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["CreditBalance"];
        };
        CreditBalance: {
            balance: number;
        };
        GetCreditUsageResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["CreditUsage"];
        };
        CreditUsage: {
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            until: string;
            total: components["schemas"]["CreditUsageTotal"];
            by_day: components["schemas"]["CreditUsageByDayItem"][];
            by_operation: components["schemas"]["CreditUsageByOperationItem"][];
            by_user: components["schemas"]["CreditUsageByUserItem"][];
            by_survey: components["schemas"]["CreditUsageBySurveyItem"][];
        };
        GetCreditOfferResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["CreditOffer"];
        };
        CreditOffer: {
            packs: components["schemas"]["CreditOfferPack"][];
            min_credits: number;
            max_credits: number;
            unit_amount: number;
            currency: string;
            prices: components["schemas"]["CreditOfferPrice"][];
            provider: ("stripe" | "sandbox") | null;
        };
        CreateCreditsCheckoutResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Checkout"];
        };
        Checkout: {
            /** Format: uuid */
            checkout_id: string;
            /** Format: uri */
            checkout_url: string;
        };
        ReceiveStripeEventResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["ReceiveStripeEventData"];
        };
        ReceiveStripeEventData: {
            /** @constant */
            received: true;
        };
        ListJobsResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Job"][];
            meta: components["schemas"]["ListMeta"];
        };
        Job: {
            job_id: number;
            kind: string;
            survey_id: number | null;
            report_id: number | null;
            /** @enum {string} */
            status: "queued" | "running" | "done" | "failed" | "cancelled";
            progress: number;
            message: string | null;
            result: components["schemas"]["JobResult"] | null;
            error: components["schemas"]["JobError"] | null;
            /** Format: uri */
            status_url: string;
            /** Format: date-time */
            created_at: string;
            started_at: string | null;
            finished_at: string | null;
        };
        FieldError: {
            field: string;
            message: string;
        };
        GetJobResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["Job"];
        };
        ListAuditEntriesResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["AuditEntry"][];
            meta: components["schemas"]["ListMeta"];
        };
        AuditEntry: {
            audit_id: number;
            /** Format: date-time */
            happened_at: string;
            user_id: number | null;
            user_name: string | null;
            action: string;
            object_type: string;
            object_id: string | null;
            details: {
                [key: string]: components["schemas"]["JsonValue"];
            } | null;
            credential: ("session" | "api_key") | null;
            address: string | null;
            request_id: string | null;
        };
        UndoMoveResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["MovedObject"];
        };
        MovedObject: {
            /** @enum {string} */
            object_type: "survey" | "dashboard" | "report";
            object_id: number;
            workspace_id: number;
        };
        HealthResponse: {
            /** @constant */
            success: 1;
            data: components["schemas"]["HealthData"];
        };
        HealthData: {
            /** @enum {string} */
            status: "ok" | "degraded";
            /** @constant */
            reason?: "storage_full";
            replicas?: components["schemas"]["HealthDataReplicas"];
        };
        ArrangementOutput: {
            /** @enum {string} */
            order: "fixed" | "random" | "rotate" | "reverse";
            pinned: number[];
            show: number | null;
        };
        NoAnswersOutput: components["schemas"]["NoAnswersOutputItem"][];
        ArmOutput: {
            arm_code: string;
            arm_label?: string | null;
            share: number;
        };
        LoopOutput: {
            /** @enum {string} */
            over: "chosen" | "not_chosen" | "listed";
            question_code: string | null;
            items: components["schemas"]["LoopItemOutput"][];
            max_items: number | null;
            /** @enum {string} */
            order: "fixed" | "random" | "least_filled";
        };
        LoopItemOutput: {
            item_code: string;
            item_label?: string | null;
            attributes: {
                [key: string]: string;
            };
            translations: {
                [key: string]: components["schemas"]["LoopItemTranslations"];
            };
        };
        SamplingDesignOutput: components["schemas"]["LinearizedDesignOutput"] | components["schemas"]["ReplicateDesignOutput"];
        LinearizedDesignOutput: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            method: "linearized";
            weight?: string | null;
            strata?: string | null;
            clusters: string[];
            population?: components["schemas"]["DesignPopulation"] | null;
            /** @enum {string} */
            lonely_clusters: "fail" | "adjust" | "certainty" | "average";
        };
        ReplicateDesignOutput: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            method: "brr" | "fay" | "jk1" | "jkn" | "bootstrap";
            weight: string;
            replicates: string[];
            rho?: number | null;
            scale?: number | null;
            rscales?: number[] | null;
            mse: boolean;
            degrees_of_freedom?: number | null;
        };
        FigureChartConfigOutput: {
            survey_id?: number;
            dimension: components["schemas"]["ColumnReference"];
            series?: components["schemas"]["ColumnReference"];
            aggregation?: components["schemas"]["AggregationOutput"];
            line_aggregation?: components["schemas"]["AggregationOutput"];
            weight_column?: string;
            filter?: components["schemas"]["ChartFilter"] | null;
            include_test?: boolean | null;
            /** @enum {string} */
            quality?: "exclude_confirmed" | "include_all";
            compare?: components["schemas"]["ChartComparisonOutput"];
            nets?: components["schemas"]["NetOutput"][];
            options: components["schemas"]["ChartOptionsOutput"];
        };
        AggregationOutput: {
            /** @enum {string} */
            function: "count" | "percent" | "mean" | "sum" | "median" | "min" | "max" | "nps" | "top_box" | "rank_summary";
            column_code?: string;
            n?: number;
            value?: string[];
        };
        ChartComparisonOutput: {
            /** @constant */
            letters: true;
            level: 0.95 | 0.9;
        };
        NetOutput: {
            label: string;
            values: string[];
        };
        ChartOptionsOutput: {
            /** @enum {string} */
            sort: "original" | "value_desc" | "value_asc" | "label";
            limit?: number;
            show_rest: boolean;
            show_values: boolean;
            colors?: string[];
            decimals?: number;
            /** @enum {string} */
            base?: "answering" | "shown" | "total";
            stacked_percent?: boolean;
            bins: ("auto" | "none") | number;
        };
        FilterChartConfigOutput: {
            survey_id?: number;
            filterElement: components["schemas"]["FilterChartConfigOutputFilterElement"];
        };
        VariableChartConfigOutput: {
            survey_id?: number;
            dimension: components["schemas"]["ColumnReference"];
            variable: components["schemas"]["VariableMetricOutput"];
            weight_column?: string;
            filter?: components["schemas"]["ChartFilter"] | null;
            include_test?: boolean | null;
            /** @enum {string} */
            quality?: "exclude_confirmed" | "include_all";
        };
        VariableMetricOutput: {
            /** @enum {string} */
            metric: "base" | "count" | "sum" | "mean";
            value?: string;
            column_code?: string;
            prefix?: string;
            suffix?: string;
            decimals?: number;
            /** @constant */
            compare_to?: "previous_wave";
            /** @enum {string} */
            sparkline?: "day" | "week" | "month" | "wave";
        };
        ChartSlideContentOutput: {
            charts: (components["schemas"]["SlideChartReference"] | components["schemas"]["ChartSlideContentOutputChart"])[];
            text?: string;
            notes?: string;
        };
        TableSlideContentOutput: {
            survey_id: number;
            rows: string[][];
            columns: string[][];
            nets: components["schemas"]["TableSlideContentNet"][];
            /** @enum {string} */
            show: "column_percent" | "row_percent" | "count";
            letters: boolean;
            means?: boolean;
            /** @enum {string} */
            base?: "answering" | "shown" | "all";
            weight_column?: string;
            filter?: components["schemas"]["ChartFilter"] | null;
            include_test?: boolean | null;
            /** @enum {string} */
            quality?: "exclude_confirmed" | "include_all";
            notes?: string;
        };
        KeyFiguresSlideContentOutput: {
            figures: (components["schemas"]["SlideChartReference"] | components["schemas"]["KeyFiguresSlideContentOutputFigure"])[];
            text?: string;
            notes?: string;
        };
        ChartConfigOutput: components["schemas"]["FigureChartConfigOutput"] | components["schemas"]["TextChartConfig"] | components["schemas"]["FilterChartConfigOutput"] | components["schemas"]["VariableChartConfigOutput"];
        AppendixSlideContentOutput: {
            survey_ids?: number[];
            parts: ("sample" | "field" | "weighting" | "questions")[];
            notes?: string;
        };
        AuthenticateRequestLogin: {
            /** @constant */
            action: "login";
            email: string;
            password: string;
            organization_slug?: string | null;
            remember_me?: boolean;
            include_token?: boolean;
        };
        AuthenticateRequestLoginWithLink: {
            /** @constant */
            action: "login_with_link";
            sign_in_token: string;
        };
        AuthenticateRequestLogout: {
            /** @constant */
            action: "logout";
        };
        AuthenticateRequestRegister: {
            /** @constant */
            action: "register";
            invite_token: string;
            user_name: string;
            email: string;
            password: string;
        };
        AuthenticateRequestForgot: {
            /** @constant */
            action: "forgot";
            email: string;
        };
        AuthenticateRequestReset: {
            /** @constant */
            action: "reset";
            reset_token: string;
            new_password: string;
            revoke_api_keys?: boolean;
        };
        AuthenticateRequestConfirmEmail: {
            /** @constant */
            action: "confirm_email";
            confirm_token: string;
        };
        UpdateWorkspaceRequestWorkspaceLook: {
            color?: (string | null) | null;
            background_color?: (string | null) | null;
            logo?: (string | null) | null;
            logo_alt?: (string | null) | null;
            typeface?: (("sans" | "serif" | "rounded") | null) | null;
            imprint_url?: (string | null) | null;
            privacy_url?: (string | null) | null;
            sender_name?: (string | null) | null;
            made_with_canvass?: (boolean | null) | null;
            icon?: (string | null) | null;
            share_image?: (string | null) | null;
        };
        CreateSurveyRequestSurveySettings: {
            anonymous?: boolean | null;
            confidential?: boolean | null;
            min_base?: number | null;
            dominance_percent?: number | null;
            timezone?: string | null;
            default_language?: string | null;
            languages?: string[] | null;
            color?: (string | null) | null;
            background_color?: (string | null) | null;
            logo?: (string | null) | null;
            logo_alt?: (string | null) | null;
            typeface?: (("sans" | "serif" | "rounded") | null) | null;
            imprint_url?: (string | null) | null;
            privacy_url?: (string | null) | null;
            sender_name?: (string | null) | null;
            made_with_canvass?: (boolean | null) | null;
            icon?: (string | null) | null;
            share_image?: (string | null) | null;
            layout?: ("pages" | "one_question") | null;
            show_progress?: boolean | null;
            show_page_number?: boolean | null;
            allow_back?: boolean | null;
            title?: (string | null) | null;
            welcome_title?: (string | null) | null;
            welcome_text?: (string | null) | null;
            welcome_image?: (string | null) | null;
            welcome_image_alt?: (string | null) | null;
            welcome_minutes?: (number | null) | null;
            welcome_button?: (string | null) | null;
            end_title?: (string | null) | null;
            end_image?: (string | null) | null;
            end_image_alt?: (string | null) | null;
            end_button?: (string | null) | null;
            end_url?: (string | null) | null;
            share_description?: (string | null) | null;
            completion_message?: (string | null) | null;
            screened_out_message?: (string | null) | null;
            over_quota_message?: (string | null) | null;
            closed_message?: (string | null) | null;
            allow_restart?: boolean | null;
            redirect_url?: (string | null) | null;
            author_note?: (string | null) | null;
            consent_text?: (string | null) | null;
            embed_origins?: string[] | null;
            hidden_values?: string[] | null;
            previous_survey_id?: (number | null) | null;
            closes_at?: (string | null) | null;
            response_limit?: (number | null) | null;
            translations?: {
                [key: string]: components["schemas"]["SurveyTranslation"];
            } | null;
        };
        CreateSurveyRequestQualitySettingsSpeeder: {
            enabled?: boolean | null;
            ratio?: number | null;
            min_seconds?: (number | null) | null;
            min_seconds_per_question?: number | null;
            min_completes?: number | null;
        };
        CreateSurveyRequestQualitySettingsStraightliner: {
            enabled?: boolean | null;
            min_rows?: number | null;
            max_identical_share?: number | null;
            batteries?: components["schemas"]["QualityBattery"][] | null;
        };
        CreateSurveyRequestQualitySettingsDuplicate: {
            enabled?: boolean | null;
            ip?: boolean | null;
            fingerprint?: boolean | null;
            external_id?: boolean | null;
            identical_answers?: boolean | null;
            min_identical_answers?: number | null;
            block_ip?: boolean | null;
        };
        CreateSurveyRequestQualitySettingsOpenEnd: {
            enabled?: boolean | null;
            column_codes?: (string[] | null) | null;
            min_length?: number | null;
            gibberish?: boolean | null;
            max_keyboard_share?: number | null;
            min_repeats?: number | null;
            max_letter_share?: number | null;
            repeated?: boolean | null;
            max_shared_share?: number | null;
            min_shared?: number | null;
            shared_min_length?: number | null;
            min_identical?: number | null;
        };
        CreateSurveyRequestQualitySettingsAttentionCheck: {
            question_id: number;
            row_code?: string;
            expected: string | string[];
        };
        CreateSurveyRequestQualitySettings: {
            speeder?: components["schemas"]["CreateSurveyRequestQualitySettingsSpeeder"] | null;
            straightliner?: components["schemas"]["CreateSurveyRequestQualitySettingsStraightliner"] | null;
            duplicate?: components["schemas"]["CreateSurveyRequestQualitySettingsDuplicate"] | null;
            open_end?: components["schemas"]["CreateSurveyRequestQualitySettingsOpenEnd"] | null;
            attention_checks?: components["schemas"]["CreateSurveyRequestQualitySettingsAttentionCheck"][] | null;
            action?: ("flag" | "screen_out") | null;
        };
        LoopItemTranslations: {
            item_label?: string | null;
            attributes?: {
                [key: string]: string;
            };
        };
        NewQuestionOfSingleChoiceOption: {
            option_code?: number;
            option_label: string;
            option_value?: string | number;
            option_order?: number;
            option_image?: string | null;
            option_exclusive?: boolean;
            option_other?: boolean;
            option_anchor?: boolean;
            option_missing?: boolean;
            retired?: boolean;
        };
        ImportedVariableFormat: {
            type: number;
            width: number;
            decimals: number;
        };
        ImportedVariableMissingRange: {
            low: number;
            high: number;
        };
        ImportedVariableValueLabel: {
            value: string | number;
            label: string;
        };
        ImportedVariableValue: {
            option_value: string;
            value: string;
        };
        ImportedVariableMember: {
            option_code: number;
            name: string;
            label: string | null;
            format: components["schemas"]["ImportedVariableFormat"];
            other: number;
            /** @enum {string} */
            measure?: "nominal" | "ordinal" | "scale";
            value_labels?: components["schemas"]["ImportedVariableValueLabel"][];
            missing?: (string | number)[];
            missing_range?: components["schemas"]["ImportedVariableMissingRange"];
        };
        NoAnswer: {
            /** @enum {string} */
            reason: "dont_know" | "refused" | "not_applicable";
            code: number;
            label?: string | null;
        };
        MatrixSettingsInputRow: {
            row_code: string;
            row_label: string;
            row_other?: boolean;
        };
        SideBySideSettingsInputRow: {
            row_code: string;
            row_label: string;
            row_number?: number;
        };
        SideBySideSettingsInputColumnSingleChoiceColumnSettings: {
            /** @enum {string} */
            measure?: "nominal" | "ordinal" | "scale";
        };
        SideBySideSettingsInputColumnSingleChoice: {
            column_code: string;
            column_label: string;
            column_number?: number;
            column_required?: boolean;
            /** @constant */
            column_type: "single_choice";
            column_settings?: components["schemas"]["SideBySideSettingsInputColumnSingleChoiceColumnSettings"];
            options: (string | components["schemas"]["NewQuestionOfSingleChoiceOption"])[];
        };
        SideBySideSettingsInputColumnMultipleChoiceColumnSettings: {
            min_selections?: number | null;
            max_selections?: number | null;
        };
        SideBySideSettingsInputColumnMultipleChoice: {
            column_code: string;
            column_label: string;
            column_number?: number;
            column_required?: boolean;
            /** @constant */
            column_type: "multiple_choice";
            column_settings?: components["schemas"]["SideBySideSettingsInputColumnMultipleChoiceColumnSettings"];
            options: (string | components["schemas"]["NewQuestionOfSingleChoiceOption"])[];
        };
        SideBySideSettingsInputColumnDropdownColumnSettings: {
            /** @enum {string} */
            measure?: "nominal" | "ordinal" | "scale";
            placeholder?: string | null;
        };
        SideBySideSettingsInputColumnDropdown: {
            column_code: string;
            column_label: string;
            column_number?: number;
            column_required?: boolean;
            /** @constant */
            column_type: "dropdown";
            column_settings?: components["schemas"]["SideBySideSettingsInputColumnDropdownColumnSettings"];
            options: (string | components["schemas"]["NewQuestionOfSingleChoiceOption"])[];
        };
        SideBySideSettingsInputColumnScaleColumnSettings: {
            min?: number;
            max?: number;
            step?: number;
            min_label?: string | null;
            mid_label?: string | null;
            max_label?: string | null;
            point_labels?: {
                [key: string]: string;
            } | null;
        };
        SideBySideSettingsInputColumnScale: {
            column_code: string;
            column_label: string;
            column_number?: number;
            column_required?: boolean;
            /** @constant */
            column_type: "scale";
            column_settings?: components["schemas"]["SideBySideSettingsInputColumnScaleColumnSettings"];
        };
        SideBySideSettingsInputColumnNumberColumnSettings: {
            min?: number | null;
            max?: number | null;
            step?: number | null;
            decimals?: number;
            prefix?: string | null;
            suffix?: string | null;
            placeholder?: string | null;
        };
        SideBySideSettingsInputColumnNumber: {
            column_code: string;
            column_label: string;
            column_number?: number;
            column_required?: boolean;
            /** @constant */
            column_type: "number";
            column_settings?: components["schemas"]["SideBySideSettingsInputColumnNumberColumnSettings"];
        };
        SideBySideSettingsInputColumnTextColumnSettings: {
            multiline?: boolean;
            min_length?: number | null;
            max_length?: number;
            /** @enum {string} */
            format?: "none" | "email" | "url" | "phone" | "regex";
            pattern?: string | null;
            placeholder?: string | null;
        };
        SideBySideSettingsInputColumnText: {
            column_code: string;
            column_label: string;
            column_number?: number;
            column_required?: boolean;
            /** @constant */
            column_type: "text";
            column_settings?: components["schemas"]["SideBySideSettingsInputColumnTextColumnSettings"];
        };
        ChangeLinksRequestLinkRedirects: {
            complete?: string | null;
            screen_out?: string | null;
            over_quota?: string | null;
            quality?: string | null;
            default?: string | null;
        };
        ChangeLinksRequestLink: {
            /** @enum {string} */
            link_type?: "open" | "unique" | "panel";
            link_name?: string;
            link_slug?: string | null;
            link_quota?: number | null;
            expires_at?: string | null;
            wave_id?: number | null;
            redirects?: components["schemas"]["ChangeLinksRequestLinkRedirects"] | null;
            requires_signature?: boolean;
        };
        InviteToSurveyRequestRespondent: {
            email: string;
            name?: string | null;
            external_id?: string | null;
            language?: string | null;
            attributes?: {
                [key: string]: unknown;
            } | null;
        };
        InviteToSurveyRequestReminder: {
            after_days: number;
            subject?: string;
            message?: string;
        };
        SetWaveQuotasRequestQuotaCell: {
            cell_label: string;
            condition: components["schemas"]["ConditionInput"];
            target?: number | null;
            cell_id?: unknown;
            rule?: unknown;
            completed?: unknown;
            pending?: unknown;
            over_quota?: unknown;
            remaining?: unknown;
        };
        SetWaveQuotasRequestQuota: {
            quota_name: string;
            /** @enum {string} */
            mode?: "hard" | "soft" | "counter";
            cells: components["schemas"]["SetWaveQuotasRequestQuotaCell"][];
            quota_id?: unknown;
        };
        AddResponsesRequestRow: {
            submission_id?: string;
            answers: components["schemas"]["Answers"];
            /** @enum {string} */
            status?: "complete" | "partial" | "screened_out";
            /** Format: date-time */
            started_at?: string;
            /** Format: date-time */
            completed_at?: string;
            external_id?: string;
            language?: string;
        };
        EditResponsesRequestRow: {
            response_id: number;
            values: {
                [key: string]: unknown;
            };
        };
        CrosstabResponsesRequestNet: {
            column_code: string;
            label: string;
            values: (string | number)[];
        };
        RecodeColumnsRequestRuleFrom: {
            min?: number;
            max?: number;
        };
        RecodeColumnsRequestRule: {
            from: (string | number)[] | components["schemas"]["RecodeColumnsRequestRuleFrom"] | ("missing" | "else");
            to: string | number | null;
            label?: string;
        };
        ChangeDerivedColumnRequestValue: {
            value: string;
            label?: string;
            missing?: boolean;
        };
        PreviewWeightingRequestDimensionTarget: {
            value: (string | number) | (string | number)[];
            target: number;
        };
        PreviewWeightingRequestDimension: {
            column_code: string;
            crossed_with?: string[];
            targets: components["schemas"]["PreviewWeightingRequestDimensionTarget"][];
        };
        CreateDashboardRequestDashboardSettings: {
            theme?: ("auto" | "light" | "dark") | null;
            color?: (string | null) | null;
            min_base?: number | null;
        };
        FilterChartConfigFilterElement: {
            question_id?: number;
            column_code?: string;
            multiple?: boolean;
            label?: string;
        };
        ReorderDashboardChartsRequestChart: {
            chart_id: number;
            page_id?: number;
            position?: components["schemas"]["ChartPosition"] | null;
        };
        CreateReportRequestReportSettings: {
            page_size?: ("16:9" | "a4") | null;
            color?: (string | null) | null;
            colors?: string[] | null;
            font?: (string | null) | null;
            logo_image_id?: (number | null) | null;
            footer?: (string | null) | null;
            language?: string | null;
        };
        ChartSlideContentChart: {
            /** @enum {string} */
            chart_type: "bar" | "horizontal-bar" | "stacked-bar" | "line" | "area" | "line-bar" | "pie" | "donut" | "histogram" | "radar" | "gauge" | "kpi" | "table";
            chart_config: components["schemas"]["FigureChartConfig"];
            title?: string;
        };
        TableSlideContentNet: {
            column_code: string;
            label: string;
            values: string[];
        };
        KeyFiguresSlideContentFigure: {
            /** @enum {string} */
            chart_type: "kpi" | "variable";
            chart_config: components["schemas"]["ChartConfig"];
            title?: string;
        };
        AnalyzeSentimentRequestSaveAsColumn: {
            column_code: string;
            name?: string;
        };
        ErrorResponseDetail: {
            field: string;
            message: string;
            position?: number;
            length?: number;
        };
        SurveyLastEditedBy: {
            user_id: number;
            user_name: string;
        };
        QualitySettingsSpeeder: {
            enabled: boolean;
            ratio: number;
            min_seconds: number | null;
            min_seconds_per_question: number;
            min_completes: number;
        };
        QualitySettingsStraightliner: {
            enabled: boolean;
            min_rows: number;
            max_identical_share: number;
            batteries: components["schemas"]["QualityBattery"][];
        };
        QualitySettingsDuplicate: {
            enabled: boolean;
            ip: boolean;
            fingerprint: boolean;
            external_id: boolean;
            identical_answers: boolean;
            min_identical_answers: number;
            block_ip: boolean;
        };
        QualitySettingsOpenEnd: {
            enabled: boolean;
            column_codes: string[] | null;
            min_length: number;
            gibberish: boolean;
            max_keyboard_share: number;
            min_repeats: number;
            max_letter_share: number;
            repeated: boolean;
            max_shared_share: number;
            min_shared: number;
            shared_min_length: number;
            min_identical: number;
        };
        ComparisonLeft: {
            /** @enum {string} */
            type: "question" | "column" | "hidden" | "attribute" | "arm" | "previous";
            code: string;
            row_code?: string;
        };
        QuestionLogicCarryForward: {
            from: string;
            /** @enum {string} */
            mode: "selected" | "not_selected" | "shown";
        };
        SideBySideSettingsColumnSingleChoiceColumnSettings: {
            /** @enum {string} */
            measure: "nominal" | "ordinal" | "scale";
        };
        SideBySideSettingsColumnSingleChoice: {
            column_code: string;
            column_label: string;
            column_number?: number;
            column_required: boolean;
            /** @constant */
            column_type: "single_choice";
            column_settings: components["schemas"]["SideBySideSettingsColumnSingleChoiceColumnSettings"];
            options: (string | components["schemas"]["NewQuestionOfSingleChoiceOption"])[];
        };
        SideBySideSettingsColumnMultipleChoiceColumnSettings: {
            min_selections: number | null;
            max_selections: number | null;
        };
        SideBySideSettingsColumnMultipleChoice: {
            column_code: string;
            column_label: string;
            column_number?: number;
            column_required: boolean;
            /** @constant */
            column_type: "multiple_choice";
            column_settings: components["schemas"]["SideBySideSettingsColumnMultipleChoiceColumnSettings"];
            options: (string | components["schemas"]["NewQuestionOfSingleChoiceOption"])[];
        };
        SideBySideSettingsColumnDropdownColumnSettings: {
            /** @enum {string} */
            measure: "nominal" | "ordinal" | "scale";
            placeholder: string | null;
        };
        SideBySideSettingsColumnDropdown: {
            column_code: string;
            column_label: string;
            column_number?: number;
            column_required: boolean;
            /** @constant */
            column_type: "dropdown";
            column_settings: components["schemas"]["SideBySideSettingsColumnDropdownColumnSettings"];
            options: (string | components["schemas"]["NewQuestionOfSingleChoiceOption"])[];
        };
        SideBySideSettingsColumnScaleColumnSettings: {
            min: number;
            max: number;
            step: number;
            min_label: string | null;
            mid_label: string | null;
            max_label: string | null;
            point_labels: {
                [key: string]: string;
            } | null;
        };
        SideBySideSettingsColumnScale: {
            column_code: string;
            column_label: string;
            column_number?: number;
            column_required: boolean;
            /** @constant */
            column_type: "scale";
            column_settings: components["schemas"]["SideBySideSettingsColumnScaleColumnSettings"];
        };
        SideBySideSettingsColumnNumberColumnSettings: {
            min: number | null;
            max: number | null;
            step: number | null;
            decimals: number;
            prefix: string | null;
            suffix: string | null;
            placeholder: string | null;
        };
        SideBySideSettingsColumnNumber: {
            column_code: string;
            column_label: string;
            column_number?: number;
            column_required: boolean;
            /** @constant */
            column_type: "number";
            column_settings: components["schemas"]["SideBySideSettingsColumnNumberColumnSettings"];
        };
        SideBySideSettingsColumnTextColumnSettings: {
            multiline: boolean;
            min_length: number | null;
            max_length: number;
            /** @enum {string} */
            format: "none" | "email" | "url" | "phone" | "regex";
            pattern: string | null;
            placeholder: string | null;
        };
        SideBySideSettingsColumnText: {
            column_code: string;
            column_label: string;
            column_number?: number;
            column_required: boolean;
            /** @constant */
            column_type: "text";
            column_settings: components["schemas"]["SideBySideSettingsColumnTextColumnSettings"];
        };
        LinkRedirects: {
            complete: string | null;
            screen_out: string | null;
            over_quota: string | null;
            quality: string | null;
            default: string | null;
        };
        PublishCheckProblem: {
            code: string;
            message: string;
            field: string;
            question_code?: string;
            page_id?: number;
        };
        PublishCheckWarning: {
            code: string;
            message: string;
            field: string;
            question_code?: string;
            page_id?: number;
            language?: string;
            missing?: components["schemas"]["CheckedText"][];
            outdated?: components["schemas"]["CheckedText"][];
            texts?: string[];
        };
        ExportSurveyDataSurveyQualitySettingsAttentionCheck: {
            question_id?: number;
            row_code?: string;
            expected: string | string[];
            question_code?: string;
        };
        ExportSurveyDataSurveyQualitySettings: {
            speeder?: components["schemas"]["CreateSurveyRequestQualitySettingsSpeeder"] | null;
            straightliner?: components["schemas"]["CreateSurveyRequestQualitySettingsStraightliner"] | null;
            duplicate?: components["schemas"]["CreateSurveyRequestQualitySettingsDuplicate"] | null;
            open_end?: components["schemas"]["CreateSurveyRequestQualitySettingsOpenEnd"] | null;
            attention_checks?: components["schemas"]["ExportSurveyDataSurveyQualitySettingsAttentionCheck"][] | null;
            action?: ("flag" | "screen_out") | null;
        };
        ExportSurveyDataSurveyPageQuestion: {
            question_id?: number;
            /** @enum {string} */
            question_type: "single_choice" | "multiple_choice" | "text" | "number" | "scale" | "matrix" | "ranking" | "date" | "nps" | "dropdown" | "slider" | "file_upload" | "constant_sum" | "calculated" | "statement" | "side_by_side";
            question_text: string;
            question_code?: string;
            question_required: boolean;
            question_settings?: {
                [key: string]: components["schemas"]["JsonValue"];
            } | null;
            translation_sources?: components["schemas"]["TranslationSources"];
            options: (string | components["schemas"]["NewQuestionOfSingleChoiceOption"])[];
        };
        ExportSurveyDataSurveyPage: {
            page_id?: number;
            page_title?: string | null;
            page_description?: string | null;
            page_logic?: {
                [key: string]: components["schemas"]["JsonValue"];
            } | null;
            block_code?: string | null;
            shown_to_arm?: string | null;
            page_arrangement?: components["schemas"]["ArrangementOutput"] | null;
            questions: components["schemas"]["ExportSurveyDataSurveyPageQuestion"][];
        };
        ExportSurveyDataSurveyBlock: {
            block_code: string;
            block_title?: string | null;
            parent_block_code?: string | null;
            shown_to_arm?: string | null;
            block_arrangement?: components["schemas"]["ArrangementOutput"] | null;
            arms: components["schemas"]["ArmOutput"][];
            /** @enum {string} */
            arm_assignment: "random" | "least_filled";
            block_logic?: {
                [key: string]: components["schemas"]["JsonValue"];
            } | null;
            block_loop?: components["schemas"]["LoopOutput"] | null;
        };
        ExportSurveyDataSurvey: {
            survey_name: string;
            survey_description?: string | null;
            /** @enum {string} */
            survey_type: "quantitative" | "qualitative" | "mixed";
            settings?: components["schemas"]["CreateSurveyRequestSurveySettings"] | null;
            translation_sources?: components["schemas"]["TranslationSources"];
            quality_settings?: components["schemas"]["ExportSurveyDataSurveyQualitySettings"] | null;
            pages: components["schemas"]["ExportSurveyDataSurveyPage"][];
            blocks: components["schemas"]["ExportSurveyDataSurveyBlock"][];
            survey_arrangement?: components["schemas"]["ArrangementOutput"] | null;
            sampling_design?: components["schemas"]["SamplingDesignOutput"] | null;
        };
        SurveyVersionPublishedBy: {
            user_id: number;
            user_name: string | null;
        };
        ShownLookSources: {
            /** @enum {string} */
            color: "survey" | "workspace" | "default";
            /** @enum {string} */
            background_color: "survey" | "workspace" | "default";
            /** @enum {string} */
            logo: "survey" | "workspace" | "default";
            /** @enum {string} */
            logo_alt: "survey" | "workspace" | "default";
            /** @enum {string} */
            typeface: "survey" | "workspace" | "default";
            /** @enum {string} */
            imprint_url: "survey" | "workspace" | "default";
            /** @enum {string} */
            privacy_url: "survey" | "workspace" | "default";
            /** @enum {string} */
            sender_name: "survey" | "workspace" | "default";
            /** @enum {string} */
            made_with_canvass: "survey" | "workspace" | "default";
            /** @enum {string} */
            icon: "survey" | "workspace" | "default";
            /** @enum {string} */
            share_image: "survey" | "workspace" | "default";
        };
        SurveyDataImportCells: {
            filled: number;
            imported: number;
            missing: number;
            changed: number;
            unreadable: number;
            left_out: number;
            in_rows_not_written: number;
        };
        SurveyDataImportRecognizedMetadataItem: {
            header: string;
            column_code: string;
        };
        SurveyDataImportRecognizedLeftOutItem: {
            header: string;
            reason: string;
            cells: number;
        };
        SurveyDataImportRecognized: {
            /** @enum {string} */
            layout: "plain" | "qualtrics" | "surveymonkey" | "limesurvey" | "spss";
            header_rows: number;
            timezone: string;
            metadata: components["schemas"]["SurveyDataImportRecognizedMetadataItem"][];
            left_out: components["schemas"]["SurveyDataImportRecognizedLeftOutItem"][];
        };
        SurveyDataImportErrorDetail: {
            column: string;
            message: string;
        };
        SurveyDataImportError: {
            row: number;
            details: components["schemas"]["SurveyDataImportErrorDetail"][];
        };
        SurveyDataImportVariableExample: {
            row: number;
            value: string | number | null;
            message: string;
        };
        SurveyDataImportVariable: {
            header: string;
            label: string | null;
            /** @enum {string} */
            used_as: "question" | "option" | "row" | "cell" | "answer" | "metadata" | "nothing";
            question_code: string | null;
            question_type: string | null;
            column_code: string | null;
            options: number;
            read: number;
            empty: number;
            missing: number;
            changed: number;
            unreadable: number;
            left_out: number;
            examples: components["schemas"]["SurveyDataImportVariableExample"][];
            notes: string[];
        };
        OpenedSurveyRespondent: {
            name: string | null;
            attributes: {
                [key: string]: string | number | boolean;
            };
        };
        OpenedSurveySurveySettings: {
            anonymous: boolean;
            default_language: string;
            languages: string[];
            color: string | null;
            /** @enum {string} */
            layout: "pages" | "one_question";
            show_progress: boolean;
            show_page_number: boolean;
            allow_back: boolean;
            welcome_title: string | null;
            welcome_text: string | null;
            welcome_image: string | null;
            welcome_image_alt: string | null;
            welcome_minutes: number | null;
            welcome_button: string | null;
            end_title: string | null;
            end_image: string | null;
            end_image_alt: string | null;
            end_button: string | null;
            end_url: string | null;
            completion_message: string | null;
            screened_out_message: string | null;
            over_quota_message: string | null;
            closed_message: string | null;
            allow_restart: boolean;
            consent_text: string | null;
            translations: {
                [key: string]: components["schemas"]["SurveyTranslation"];
            };
        };
        OpenedSurveyPage: {
            page_id: number;
            page_title: string | null;
            page_description: string | null;
            page_logic: components["schemas"]["PageLogic"] | null;
            block_id: number | null;
            shown_to_arm: string | null;
            page_arrangement: components["schemas"]["ArrangementOutput"] | null;
            questions: components["schemas"]["RespondentQuestion"][];
        };
        OpenedSurveyBlock: {
            block_id: number;
            block_code: string;
            parent_block_id: number | null;
            shown_to_arm: string | null;
            block_arrangement: components["schemas"]["ArrangementOutput"] | null;
            arms: components["schemas"]["ArmOutput"][];
            /** @enum {string} */
            arm_assignment: "random" | "least_filled";
            block_logic: components["schemas"]["BlockLogic"] | null;
            repeats: components["schemas"]["RespondentLoop"] | null;
        };
        SingleChoiceRespondentQuestionOption: {
            option_code: number;
            option_value: string;
            option_label: string;
            option_image: string | null;
            option_exclusive: boolean;
            option_other: boolean;
            option_anchor: boolean;
        };
        SingleChoiceRespondentQuestionQuestionCell: {
            table_id: number;
            column_code: string;
            row_code: string;
        };
        LinkMismatchesCount: {
            /** @enum {string} */
            direction: "entry" | "exit";
            /** @enum {string} */
            reason: "missing" | "invalid" | "expired" | "used" | "no_key" | "without_entry" | "repeated";
            count: number;
        };
        LinkMismatchesLatestItem: {
            /** @enum {string} */
            direction: "entry" | "exit";
            /** @enum {string} */
            reason: "missing" | "invalid" | "expired" | "used" | "no_key" | "without_entry" | "repeated";
            external_id: string | null;
            response_id: number | null;
            /** Format: date-time */
            occurred_at: string;
        };
        InvitationResultRow: {
            index: number;
            email: string | null;
            /** @enum {string} */
            outcome: "queued" | "suppressed" | "duplicate" | "invalid";
            respondent_id: number | null;
            invitation_id: number | null;
            problems: components["schemas"]["FieldError"][];
        };
        InvitationSummaryLink: {
            link_id: number;
            link_name: string;
            wave_id: number | null;
            wave_name: string | null;
            total: number;
            counts: components["schemas"]["InvitationCounts"];
            response_rate: number | null;
        };
        RespondentExportSurveyQuestion: {
            question_code: string;
            question_text: string;
        };
        RespondentExportSurveyResponse: {
            response_id: number;
            /** @enum {string} */
            response_status: "complete" | "partial" | "screened_out";
            status_reason: string | null;
            is_test: boolean;
            is_deleted: boolean;
            external_id: string | null;
            language: string | null;
            /** Format: date-time */
            started_at: string;
            completed_at: string | null;
            duration_seconds: number | null;
            answers: {
                [key: string]: unknown;
            };
            originals: {
                [key: string]: unknown;
            } | null;
            hidden: {
                [key: string]: unknown;
            } | null;
        };
        RespondentExportSurvey: {
            survey_id: number;
            survey_name: string;
            questions: components["schemas"]["RespondentExportSurveyQuestion"][];
            responses: components["schemas"]["RespondentExportSurveyResponse"][];
        };
        RespondentExportInvitation: {
            survey_id: number;
            survey_name: string;
            /** @enum {string} */
            invitation_status: "queued" | "kept" | "sent" | "opened" | "started" | "completed" | "failed" | "bounced" | "opted_out" | "suppressed";
            /** Format: date-time */
            created_at: string;
            sent_at: string | null;
            opened_at: string | null;
            started_at: string | null;
            completed_at: string | null;
        };
        ImportedRespondentsColumn: {
            header: string;
            field: ("email" | "name" | "external_id" | "language" | "opted_out") | null;
            attribute: string | null;
            reason: string | null;
        };
        ImportedRespondentsRow: {
            row: number;
            /** @enum {string} */
            outcome: "created" | "updated" | "unchanged" | "failed";
            respondent_id: number | null;
            details?: components["schemas"]["SurveyDataImportErrorDetail"][];
        };
        OutboxMessageTo: {
            name: string | null;
            email: string;
        };
        ColumnValue: {
            code: number;
            value: string;
            number: number;
            label: string;
            missing: boolean;
        };
        ColumnNoAnswer: {
            /** @enum {string} */
            reason: "dont_know" | "refused" | "not_applicable";
            code: number;
            label: string;
        };
        ResponseRowQuality: {
            flags: components["schemas"]["QualityFlag"][];
            /** @enum {string} */
            status: "pending" | "confirmed" | "dismissed";
        };
        CreatedResponsesError: {
            index: number;
            details: components["schemas"]["FieldError"][];
        };
        EditOutcomeError: {
            response_id: number;
            details: components["schemas"]["FieldError"][];
        };
        ErasedResponseErased: {
            changes: number;
            comments: number;
            files: number;
        };
        ChangedResponseCell: {
            column_code: string;
            label: string;
            before: (string | number | string[]) | null;
            before_label: string | null;
            after?: (string | number | string[]) | null;
            after_label?: string | null;
        };
        QualityReportSummaryItemMetric: {
            metric: string;
            column_codes: string[];
            flagged: number;
        };
        QualityReportSummaryItem: {
            /** @enum {string} */
            check: "speeder" | "straightliner" | "duplicate" | "open_end" | "attention_check";
            checked: number;
            flagged: number;
            share: number | null;
            thresholds: {
                [key: string]: number | null;
            };
            metrics: components["schemas"]["QualityReportSummaryItemMetric"][];
        };
        QualityReportResponse: {
            response_id: number;
            flags: components["schemas"]["QualityFlag"][];
        };
        QualityCountsCheck: {
            /** @enum {string} */
            check: "speeder" | "straightliner" | "duplicate" | "open_end" | "attention_check" | "manual";
            responses: number;
            pending: number;
            confirmed: number;
            dismissed: number;
        };
        ImportedResponsesColumn: {
            header: string;
            column_code: string | null;
            matched_by: ("code" | "label" | "code_and_label" | "variable_label" | "layout") | null;
            imported: boolean;
            reason: string | null;
            nearest: string[];
            read: number;
            empty: number;
            missing: number;
            changed: number;
            unreadable: number;
            left_out: number;
            examples: components["schemas"]["SurveyDataImportVariableExample"][];
        };
        DistributionMissingNoAnswer: {
            dont_know: number;
            refused: number;
            not_applicable: number;
        };
        CountedMatrixDistributionRow: {
            column_code: string;
            label: string;
            /** @enum {string} */
            type: "categorical" | "multiple" | "binary" | "rank" | "number" | "text" | "date" | "file";
            /** @enum {string} */
            measure: "nominal" | "ordinal" | "scale";
            base: number;
            weighted_base: number | null;
            effective_base: number | null;
            missing: components["schemas"]["DistributionMissing"];
            categories: components["schemas"]["DistributionCategory"][];
            distinct: number;
            truncated: boolean;
            grouped_by: ("interval" | "hour" | "datetime" | "date" | "week" | "month" | "quarter" | "year" | "decade") | null;
            breaks: number[] | null;
            stats: components["schemas"]["DistributionStats"] | null;
            estimates?: components["schemas"]["EstimatedStatistics"] | null;
            convention?: components["schemas"]["IntervalConvention"];
            notes: components["schemas"]["Note"][];
            row_code: string;
            row_label: string;
        };
        CountedRankingDistributionOptionRanked: {
            count: number;
            percent: number | null;
            weighted_count: number | null;
            weighted_percent: number | null;
        };
        CountedRankingDistributionOptionRank: {
            rank: number;
            count: number;
            percent: number | null;
            weighted_count: number | null;
            weighted_percent: number | null;
        };
        CountedRankingDistributionOption: {
            column_code: string;
            code: number;
            value: string;
            label: string;
            base: number;
            weighted_base: number | null;
            ranked: components["schemas"]["CountedRankingDistributionOptionRanked"];
            mean_rank: number | null;
            top_1: components["schemas"]["CountedRankingDistributionOptionRanked"];
            top_3: components["schemas"]["CountedRankingDistributionOptionRanked"];
            ranks: components["schemas"]["CountedRankingDistributionOptionRank"][];
        };
        CountedNumbersDistributionOption: {
            column_code: string;
            label: string;
            /** @enum {string} */
            type: "categorical" | "multiple" | "binary" | "rank" | "number" | "text" | "date" | "file";
            /** @enum {string} */
            measure: "nominal" | "ordinal" | "scale";
            base: number;
            weighted_base: number | null;
            effective_base: number | null;
            missing: components["schemas"]["DistributionMissing"];
            categories: components["schemas"]["DistributionCategory"][];
            distinct: number;
            truncated: boolean;
            grouped_by: ("interval" | "hour" | "datetime" | "date" | "week" | "month" | "quarter" | "year" | "decade") | null;
            breaks: number[] | null;
            stats: components["schemas"]["DistributionStats"] | null;
            estimates?: components["schemas"]["EstimatedStatistics"] | null;
            convention?: components["schemas"]["IntervalConvention"];
            notes: components["schemas"]["Note"][];
            option_code: number;
            option_value: string;
            option_label: string;
        };
        CrosstabTableBase: {
            unweighted: number;
            weighted: number;
            effective: number;
        };
        CrosstabTableColumnCategory: {
            column_code: string;
            code: number | null;
            value: string | null;
            label: string;
            values: string[] | null;
        };
        CrosstabTableColumn: {
            letter: string;
            label: string;
            is_net: boolean;
            missing: boolean;
            categories: components["schemas"]["CrosstabTableColumnCategory"][];
            base: components["schemas"]["CrosstabTableBase"];
        };
        CrosstabTableRowTotalComparisons: {
            total?: components["schemas"]["CellComparison"] | null;
            rest?: components["schemas"]["CellComparison"] | null;
            previous_wave?: components["schemas"]["CellComparison"] | null;
            year_before?: components["schemas"]["CellComparison"] | null;
        };
        CrosstabTableRowTotal: {
            count: number;
            weighted_count: number | null;
            column_percent?: number | null;
            row_percent?: number | null;
            total_percent?: number | null;
            se?: number | null;
            ci_low?: number | null;
            ci_high?: number | null;
            df?: number | null;
            letters?: string[];
            comparisons?: components["schemas"]["CrosstabTableRowTotalComparisons"];
        };
        CrosstabTableRowTest: {
            columns: [
                string,
                string
            ];
            t: number;
            df: number;
            p_value: number;
        };
        CrosstabTableRow: {
            label: string;
            is_net: boolean;
            missing: boolean;
            categories: components["schemas"]["CrosstabTableColumnCategory"][];
            base: components["schemas"]["CrosstabTableBase"];
            total: components["schemas"]["CrosstabTableRowTotal"];
            cells: components["schemas"]["CrosstabTableRowTotal"][];
            tests?: components["schemas"]["CrosstabTableRowTest"][];
        };
        CrosstabTableMeanTotal: {
            count: number;
            weighted_count: number | null;
            effective_base: number;
            mean: number | null;
            sd: number | null;
            se: number | null;
            ci_low?: number | null;
            ci_high?: number | null;
            df?: number | null;
            letters?: string[];
            comparisons?: components["schemas"]["CrosstabTableRowTotalComparisons"];
        };
        CrosstabTableMean: {
            total: components["schemas"]["CrosstabTableMeanTotal"];
            cells: components["schemas"]["CrosstabTableMeanTotal"][];
            tests?: components["schemas"]["CrosstabTableRowTest"][];
        };
        CrosstabTableRowStatisticTotal: {
            value: number | null;
            count: number;
            weighted_count: number | null;
            se?: number | null;
            ci_low?: number | null;
            ci_high?: number | null;
            df?: number | null;
            letters?: string[];
            comparisons?: components["schemas"]["CrosstabTableRowTotalComparisons"];
        };
        CrosstabTableRowStatistic: {
            /** @enum {string} */
            statistic: "mean" | "median" | "sd" | "se" | "sum" | "nps" | "top_1" | "top_2" | "top_3" | "bottom_1" | "bottom_2" | "bottom_3" | "index";
            total: components["schemas"]["CrosstabTableRowStatisticTotal"];
            cells: components["schemas"]["CrosstabTableRowStatisticTotal"][];
            tests?: components["schemas"]["CrosstabTableRowTest"][];
        };
        CrosstabTableChiSquareUncorrected: {
            statistic: number;
            df: number;
        };
        CrosstabTableChiSquare: {
            /** @enum {string} */
            test: "pearson" | "rao_scott_f";
            statistic: number;
            df: number;
            df2: number | null;
            p_value: number;
            cramers_v: number;
            uncorrected: components["schemas"]["CrosstabTableChiSquareUncorrected"] | null;
            fisher_p_value: number | null;
            smallest_expected: number;
            expected_below_5: number;
        };
        CrosstabTable: {
            row: components["schemas"]["CrosstabVariable"];
            column: components["schemas"]["CrosstabVariable"] | null;
            base: components["schemas"]["CrosstabTableBase"];
            outside_base: number;
            columns: components["schemas"]["CrosstabTableColumn"][];
            rows: components["schemas"]["CrosstabTableRow"][];
            mean: components["schemas"]["CrosstabTableMean"] | null;
            row_statistics?: components["schemas"]["CrosstabTableRowStatistic"][];
            chi_square?: components["schemas"]["CrosstabTableChiSquare"] | null;
            notes: components["schemas"]["Note"][];
        };
        CorrelationsColumn: {
            column_code: string;
            label: string;
        };
        CorrelationsPair: {
            columns: [
                string,
                string
            ];
            base: number;
            effective_base: number | null;
            r: number | null;
            p_value: number | null;
            ci_low: number | null;
            ci_high: number | null;
        };
        ReliabilityItem: {
            column_code: string;
            label: string;
            reversed: boolean;
            base: number;
            mean: number | null;
            sd: number | null;
            item_total: number | null;
            alpha_if_deleted: number | null;
        };
        ReliabilityNote: {
            /** @enum {string} */
            code: "negative_item";
            message: string;
        };
        WeightingDimensionCategory: {
            value: string | null;
            label: string | null;
            count: number;
            unweighted: number;
            target: number;
            weighted: number;
            difference: number;
        };
        WeightingDimension: {
            column_code: string;
            categories: components["schemas"]["WeightingDimensionCategory"][];
        };
        WeightingHistogramItem: {
            from: number;
            to: number;
            count: number;
        };
        WeightingWithoutLimits: {
            weighting_efficiency: number;
            min_weight: number;
            max_weight: number;
            max_error: number;
        };
        WeightRequestDimensionTarget: {
            value: string;
            target: number;
        };
        WeightRequestDimension: {
            column_code: string;
            crossed_with: string[];
            targets: components["schemas"]["WeightRequestDimensionTarget"][];
        };
        ChartFiguresAggregation: {
            /** @enum {string} */
            function: "count" | "percent" | "mean" | "sum" | "median" | "min" | "max" | "nps" | "top_box" | "rank_summary";
            column_code?: string;
            n?: number;
            value?: string[];
            label: string;
        };
        ChartFiguresBinning: {
            /** @enum {string} */
            method: "freedman_diaconis" | "fixed";
            classes: number | null;
            width: number;
            breaks: number[];
        };
        ChartFiguresCategory: {
            code: number | null;
            value: string | null;
            label: string;
            /** @constant */
            is_net?: true;
            /** @constant */
            is_rest?: true;
            /** @constant */
            missing?: true;
            base?: components["schemas"]["ChartBase"];
        };
        ChartFiguresSeriesItem: {
            name: string;
            value?: string | null;
            /** @enum {string} */
            drawn_as?: "line" | "label";
            /** @constant */
            is_rest?: true;
            /** @enum {string} */
            function?: "count" | "percent" | "mean" | "sum" | "median" | "min" | "max" | "nps" | "top_box" | "rank_summary";
            values: (number | null)[];
            counts: (number | null)[];
            percents: (number | null)[];
            letters?: string[][];
            base: components["schemas"]["ChartBase"] | null;
        };
        ChartFiguresFiltersAppliedItem: {
            column_code: string;
            label: string;
            values: string[] | null;
        };
        VariableFigureWaves: {
            current: string | null;
            previous: string | null;
        };
        VariableFigureSparklineItem: {
            at: string;
            value: number | null;
        };
        FilterOptionsOption: {
            value: string;
            label: string;
        };
        ChartErrorError: {
            code: string;
            message: string;
            field: string | null;
        };
        PreviewSlidePart: {
            number: number;
            total: number;
        };
        PreviewSlideChart: {
            title: string | null;
            svg: string | null;
            value: string | null;
            table: components["schemas"]["SlideTable"] | null;
            problem: string | null;
            alt: string;
            source: string[];
        };
        PreviewSlideFigure: {
            label: string;
            value: string | null;
            problem: string | null;
            change: string | null;
            source: string[];
        };
        PreviewSlideImage: {
            url: string;
            alt: string;
            caption: string | null;
        };
        PreviewSlideMethod: {
            heading: string;
            facts: [
                string,
                string
            ][];
            paragraphs: string[];
            table: components["schemas"]["SlideTable"] | null;
        };
        SlideTableColumn: {
            label: string;
            letter: string | null;
            heading?: string;
        };
        SlideTableRowCell: {
            text: string;
            letters: string;
        };
        SlideTableRow: {
            label: string;
            /** @enum {string} */
            kind: "heading" | "category" | "net" | "mean" | "base";
            cells: components["schemas"]["SlideTableRowCell"][];
        };
        SentimentAnalysisSummaryCounts: {
            negative: number;
            neutral: number;
            positive: number;
        };
        SentimentAnalysisSummaryShares: {
            negative: number;
            neutral: number;
            positive: number;
        };
        SentimentAnalysisSummary: {
            base: number;
            counts: components["schemas"]["SentimentAnalysisSummaryCounts"];
            shares: components["schemas"]["SentimentAnalysisSummaryShares"];
            mean: number | null;
        };
        SentimentAnalysisResult: {
            response_id: number;
            /** @enum {string} */
            sentiment: "negative" | "neutral" | "positive";
            confidence: number;
        };
        ThemeAnalysisTheme: {
            theme: string;
            description: string;
            share: number;
            count: number;
            response_ids: number[];
            examples: components["schemas"]["TextExample"][];
        };
        ThemeAnalysisWithoutTheme: {
            count: number;
            share: number;
        };
        ClassificationCategory: {
            category: string;
            description: string | null;
            count: number;
            share: number;
        };
        ClassificationResult: {
            response_id: number;
            category: string | null;
            confidence: number;
        };
        CategorySuggestionsCategory: {
            category: string;
            description: string;
            examples: components["schemas"]["TextExample"][];
        };
        TextSummaryPoint: {
            text: string;
            count: number;
            response_ids: number[];
            examples: components["schemas"]["TextExample"][];
        };
        TranslationLanguage: {
            language: string | null;
            count: number;
        };
        TranslationResult: {
            response_id: number;
            translation: string;
            detected_language: string | null;
        };
        FindingsResultEvidenceEffect: {
            /** @enum {string} */
            measure: "cramers_v" | "cohens_h" | "cohens_d" | "pearson_r" | "ratio" | "share";
            value: number;
        };
        FindingsResultEvidence: {
            question_ids: number[];
            response_ids: number[] | null;
            response_count: number | null;
            base: number;
            p_value: number | null;
            q_value: number | null;
            effect: components["schemas"]["FindingsResultEvidenceEffect"] | null;
        };
        FindingsResult: {
            id: string;
            /** @enum {string} */
            kind: "majority" | "top_box" | "nps" | "difference" | "driver" | "trend_break" | "completion" | "outliers" | "unusual_durations" | "speeders" | "straightliners" | "unlikely_responses" | "sudden_day" | "source_differs" | "change_point";
            headline: string;
            explanation: string;
            suggestion: string | null;
            statement: string;
            figures: {
                [key: string]: string | number | null;
            };
            evidence: components["schemas"]["FindingsResultEvidence"];
        };
        FindingsTested: {
            responses: number;
            questions: number;
            pairs: number;
            of: number;
            tests: number;
            false_discovery_rate: number;
            min_base: number;
        };
        CreditUsageTotal: {
            calls: number;
            input_tokens: number;
            output_tokens: number;
            credits: number;
        };
        CreditUsageByDayItem: {
            /** Format: date */
            day: string;
            calls: number;
            input_tokens: number;
            output_tokens: number;
            credits: number;
        };
        CreditUsageByOperationItem: {
            operation: string;
            calls: number;
            input_tokens: number;
            output_tokens: number;
            credits: number;
        };
        CreditUsageByUserItem: {
            user_id: number;
            user_name: string;
            calls: number;
            input_tokens: number;
            output_tokens: number;
            credits: number;
        };
        CreditUsageBySurveyItem: {
            survey_id: number | null;
            survey_name: string | null;
            calls: number;
            input_tokens: number;
            output_tokens: number;
            credits: number;
        };
        CreditOfferPack: {
            credits: number;
            amount: number;
            currency: string;
        };
        CreditOfferPrice: {
            /** @enum {string} */
            engine: "openai" | "built-in";
            model: string | null;
            credits_per_1000_tokens: number;
        };
        JobResult: {
            /** Format: uri */
            download_url?: string;
            file_name?: string;
            content_type?: string;
            size_bytes?: number;
        } & {
            [key: string]: unknown;
        };
        JobError: {
            message: string;
            code: string;
            details: components["schemas"]["FieldError"][];
        };
        HealthDataReplicas: {
            configured: number;
            usable: number;
        };
        NoAnswersOutputItem: {
            /** @enum {string} */
            reason: "dont_know" | "refused" | "not_applicable";
            code: number;
            label: string | null;
        };
        FilterChartConfigOutputFilterElement: {
            question_id?: number;
            column_code?: string;
            multiple: boolean;
            label?: string;
        };
        ChartSlideContentOutputChart: {
            /** @enum {string} */
            chart_type: "bar" | "horizontal-bar" | "stacked-bar" | "line" | "area" | "line-bar" | "pie" | "donut" | "histogram" | "radar" | "gauge" | "kpi" | "table";
            chart_config: components["schemas"]["FigureChartConfigOutput"];
            title?: string;
        };
        KeyFiguresSlideContentOutputFigure: {
            /** @enum {string} */
            chart_type: "kpi" | "variable";
            chart_config: components["schemas"]["ChartConfigOutput"];
            title?: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    authenticate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthenticateRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthenticateResponse"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthenticateResponse"];
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListApiKeysResponse"];
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiKeyRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateApiKeyResponse"];
                };
            };
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listUserApiKeys: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                page?: number;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListUserApiKeysResponse"];
                };
            };
        };
    };
    revokeUserApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
                apiKeyId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listSessions: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListSessionsResponse"];
                };
            };
        };
    };
    endOtherSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePasswordRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangePasswordResponse"];
                };
            };
        };
    };
    listWorkspaces: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                page?: number;
                search?: string;
                sort?: "workspace_id" | "-workspace_id" | "workspace_name" | "-workspace_name" | "workspace_inserted" | "-workspace_inserted";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListWorkspacesResponse"];
                };
            };
        };
    };
    createWorkspace: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWorkspaceRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateWorkspaceResponse"];
                };
            };
        };
    };
    getWorkspace: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetWorkspaceResponse"];
                };
            };
        };
    };
    updateWorkspace: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateWorkspaceRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateWorkspaceResponse"];
                };
            };
        };
    };
    deleteWorkspace: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    restoreWorkspace: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestoreWorkspaceResponse"];
                };
            };
        };
    };
    getCurrentWorkspace: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetCurrentWorkspaceResponse"];
                };
            };
        };
    };
    setCurrentWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetCurrentWorkspaceResponse"];
                };
            };
        };
    };
    listWorkspaceMembers: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                page?: number;
                workspace_id?: number;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListWorkspaceMembersResponse"];
                };
            };
        };
    };
    addWorkspaceMember: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddWorkspaceMemberRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddWorkspaceMemberResponse"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddWorkspaceMemberResponse"];
                };
            };
        };
    };
    removeWorkspaceMember: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                id: number;
                userId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listOrphanedWorkspaces: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListOrphanedWorkspacesResponse"];
                };
            };
        };
    };
    transferWorkspace: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TransferWorkspaceRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransferWorkspaceResponse"];
                };
            };
        };
    };
    searchWorkspace: {
        parameters: {
            query: {
                q: string;
                limit?: number;
                workspace_id?: number;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchWorkspaceResponse"];
                };
            };
        };
    };
    listSurveys: {
        parameters: {
            query?: {
                workspace_id?: number;
                status?: 1 | 2 | 3;
                deleted?: true;
                search?: string;
                sort?: "survey_id" | "-survey_id" | "survey_name" | "-survey_name" | "survey_status" | "-survey_status" | "survey_inserted" | "-survey_inserted" | "survey_updated" | "-survey_updated" | "response_count" | "-response_count";
                include?: "activity";
                limit?: number;
                cursor?: string;
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListSurveysResponse"];
                };
            };
        };
    };
    createSurvey: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSurveyRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateSurveyResponse"];
                };
            };
        };
    };
    getSurvey: {
        parameters: {
            query?: {
                workspace_id?: number;
                include_retired?: boolean;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetSurveyResponse"];
                };
            };
        };
    };
    updateSurvey: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateSurveyRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateSurveyResponse"];
                };
            };
        };
    };
    deleteSurvey: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    restoreSurvey: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestoreSurveyResponse"];
                };
            };
        };
    };
    updateQualitySettings: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateQualitySettingsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateQualitySettingsResponse"];
                };
            };
        };
    };
    publishSurvey: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PublishSurveyRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublishSurveyResponse"];
                };
            };
        };
    };
    checkSurvey: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckSurveyResponse"];
                };
            };
        };
    };
    duplicateSurvey: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DuplicateSurveyResponse"];
                };
            };
        };
    };
    exportSurvey: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportSurveyResponse"];
                };
            };
        };
    };
    importSurvey: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ImportSurveyRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportSurveyResponse"];
                };
            };
        };
    };
    listSurveyVersions: {
        parameters: {
            query?: {
                workspace_id?: number;
                limit?: number;
                cursor?: string;
                page?: number;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListSurveyVersionsResponse"];
                };
            };
        };
    };
    getSurveyVersion: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                id: number;
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetSurveyVersionResponse"];
                };
            };
        };
    };
    compareSurveyVersions: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                id: number;
                version: number;
                other: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompareSurveyVersionsResponse"];
                };
            };
        };
    };
    restoreSurveyVersion: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestoreSurveyVersionResponse"];
                };
            };
        };
    };
    watchSurvey: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["SurveyEvent"];
                };
            };
        };
    };
    getSurveyDesign: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetSurveyDesignResponse"];
                };
            };
        };
    };
    saveSurveyDesign: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SaveSurveyDesignRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SaveSurveyDesignResponse"];
                };
            };
        };
    };
    deleteSurveyDesign: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getSurveyLook: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetSurveyLookResponse"];
                };
            };
        };
    };
    previewSurvey: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewSurveyResponse"];
                };
            };
        };
    };
    importSurveyData: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["ImportSurveyDataUpload"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportSurveyDataResponse"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportSurveyDataResponse"];
                };
            };
        };
    };
    listPages: {
        parameters: {
            query?: {
                workspace_id?: number;
                limit?: number;
                cursor?: string;
                page?: number;
                include_retired?: boolean;
            };
            header?: never;
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListPagesResponse"];
                };
            };
        };
    };
    createPage: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreatePageRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatePageResponse"];
                };
            };
        };
    };
    getPage: {
        parameters: {
            query?: {
                workspace_id?: number;
                include_retired?: boolean;
            };
            header?: never;
            path: {
                surveyId: number;
                pageId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetPageResponse"];
                };
            };
        };
    };
    updatePage: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                surveyId: number;
                pageId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdatePageRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdatePageResponse"];
                };
            };
        };
    };
    deletePage: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                surveyId: number;
                pageId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    reorderPages: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReorderPagesRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReorderPagesResponse"];
                };
            };
        };
    };
    listBlocks: {
        parameters: {
            query?: {
                workspace_id?: number;
                limit?: number;
                cursor?: string;
                page?: number;
                include_retired?: boolean;
            };
            header?: never;
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListBlocksResponse"];
                };
            };
        };
    };
    createBlock: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateBlockRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateBlockResponse"];
                };
            };
        };
    };
    getBlock: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                surveyId: number;
                blockId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetBlockResponse"];
                };
            };
        };
    };
    updateBlock: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                surveyId: number;
                blockId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateBlockRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateBlockResponse"];
                };
            };
        };
    };
    deleteBlock: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                surveyId: number;
                blockId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listQuestions: {
        parameters: {
            query?: {
                workspace_id?: number;
                include_retired?: boolean;
            };
            header?: never;
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListQuestionsResponse"];
                };
            };
        };
    };
    createQuestion: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewQuestion"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateQuestionResponse"];
                };
            };
        };
    };
    listPreviousQuestions: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListPreviousQuestionsResponse"];
                };
            };
        };
    };
    getQuestion: {
        parameters: {
            query?: {
                workspace_id?: number;
                include_retired?: boolean;
            };
            header?: never;
            path: {
                surveyId: number;
                questionId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetQuestionResponse"];
                };
            };
        };
    };
    updateQuestion: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                surveyId: number;
                questionId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateQuestionRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateQuestionResponse"];
                };
            };
        };
    };
    deleteQuestion: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "If-Match"?: string;
            };
            path: {
                surveyId: number;
                questionId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    reorderQuestions: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReorderQuestionsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReorderQuestionsResponse"];
                };
            };
        };
    };
    addSurveyImage: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["AddSurveyImageUpload"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddSurveyImageResponse"];
                };
            };
        };
    };
    addSurveyMedia: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["AddSurveyMediaUpload"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddSurveyMediaResponse"];
                };
            };
        };
    };
    getRespondentSurvey: {
        parameters: {
            query?: {
                external_id?: string;
                signed_at?: string;
                signature?: string;
            };
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetRespondentSurveyResponse"];
                };
            };
        };
    };
    submitResponse: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubmitResponseRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubmitResponseResponse"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubmitResponseResponse"];
                };
            };
        };
    };
    resumeResponse: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
                responseToken: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResumeResponseResponse"];
                };
            };
        };
    };
    saveResponsePage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
                responseToken: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SaveResponsePageRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SaveResponsePageResponse"];
                };
            };
        };
    };
    moveResponse: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
                responseToken: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MoveResponseRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MoveResponseResponse"];
                };
            };
        };
    };
    completeResponse: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
                responseToken: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CompleteResponseRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompleteResponseResponse"];
                };
            };
        };
    };
    listUploadedFiles: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
                responseToken: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListUploadedFilesResponse"];
                };
            };
        };
    };
    uploadResponseFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
                responseToken: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["UploadResponseFileUpload"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadResponseFileResponse"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadResponseFileResponse"];
                };
            };
        };
    };
    removeUploadedFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
                responseToken: string;
                fileId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listLinks: {
        parameters: {
            query?: {
                workspace_id?: number;
                survey_id?: number;
                link_type?: "open" | "unique" | "panel";
                link_status?: "active" | "paused" | "full" | "closed" | "expired";
                search?: string;
                limit?: number;
                cursor?: string;
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListLinksResponse"];
                };
            };
        };
    };
    changeLinks: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeLinksRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeLinksResponse"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeLinksResponse"];
                };
            };
        };
    };
    listSurveyLinks: {
        parameters: {
            query?: {
                workspace_id?: number;
                link_type?: "open" | "unique" | "panel";
                link_status?: "active" | "paused" | "full" | "closed" | "expired";
                search?: string;
                limit?: number;
                cursor?: string;
                page?: number;
            };
            header?: never;
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListSurveyLinksResponse"];
                };
            };
        };
    };
    createSurveyLink: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateSurveyLinkRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateSurveyLinkResponse"];
                };
            };
        };
    };
    updateSurveyLink: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                surveyId: number;
                linkId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateSurveyLinkRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateSurveyLinkResponse"];
                };
            };
        };
    };
    deleteSurveyLink: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                surveyId: number;
                linkId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getSurveyLinkQr: {
        parameters: {
            query?: {
                workspace_id?: number;
                format?: "svg" | "png";
                size?: number;
            };
            header?: never;
            path: {
                surveyId: number;
                linkId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                    "image/png": string;
                };
            };
        };
    };
    getSurveyLinkEmbed: {
        parameters: {
            query?: {
                workspace_id?: number;
                height?: number;
            };
            header?: never;
            path: {
                surveyId: number;
                linkId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetSurveyLinkEmbedResponse"];
                };
            };
        };
    };
    createLinkSigningKey: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                surveyId: number;
                linkId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateLinkSigningKeyResponse"];
                };
            };
        };
    };
    revokeLinkSigningKey: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                surveyId: number;
                linkId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listLinkMismatches: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                surveyId: number;
                linkId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListLinkMismatchesResponse"];
                };
            };
        };
    };
    inviteToSurvey: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InviteToSurveyRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InviteToSurveyResponse"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InviteToSurveyResponse"];
                };
            };
        };
    };
    previewInvitation: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PreviewInvitationRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewInvitationResponse"];
                };
            };
        };
    };
    resendInvitations: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                surveyId: number;
                linkId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ResendInvitationsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResendInvitationsResponse"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResendInvitationsResponse"];
                };
            };
        };
    };
    getInvitationSummary: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetInvitationSummaryResponse"];
                };
            };
        };
    };
    cancelScheduledInvitations: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                surveyId: number;
                campaignId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listInvitations: {
        parameters: {
            query?: {
                workspace_id?: number;
                link_id?: number;
                invitation_status?: "queued" | "kept" | "sent" | "opened" | "started" | "completed" | "failed" | "bounced" | "opted_out" | "suppressed";
                respondent_id?: number;
                limit?: number;
                cursor?: string;
                page?: number;
            };
            header?: never;
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListInvitationsResponse"];
                };
            };
        };
    };
    reportBounce: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                surveyId: number;
                invitationId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReportBounceRequest"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listDistributions: {
        parameters: {
            query?: {
                workspace_id?: number;
                survey_id?: number;
                wave_id?: number;
                limit?: number;
                cursor?: string;
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListDistributionsResponse"];
                };
            };
        };
    };
    listRespondents: {
        parameters: {
            query?: {
                workspace_id?: number;
                search?: string;
                opted_out?: boolean;
                attribute?: string;
                sort?: "respondent_id" | "-respondent_id" | "email" | "-email" | "name" | "-name" | "external_id" | "-external_id" | "created_at" | "-created_at" | "last_invited_at" | "-last_invited_at";
                limit?: number;
                cursor?: string;
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListRespondentsResponse"];
                };
            };
        };
    };
    createRespondent: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateRespondentRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateRespondentResponse"];
                };
            };
        };
    };
    countRespondents: {
        parameters: {
            query?: {
                workspace_id?: number;
                search?: string;
                opted_out?: boolean;
                attribute?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CountRespondentsResponse"];
                };
            };
        };
    };
    getRespondent: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                respondentId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetRespondentResponse"];
                };
            };
        };
    };
    updateRespondent: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                respondentId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateRespondentRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateRespondentResponse"];
                };
            };
        };
    };
    deleteRespondent: {
        parameters: {
            query?: {
                workspace_id?: number;
                erase_responses?: boolean;
            };
            header?: never;
            path: {
                respondentId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    optOutRespondent: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                respondentId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OptOutRespondentResponse"];
                };
            };
        };
    };
    optInRespondent: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                respondentId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OptInRespondentResponse"];
                };
            };
        };
    };
    exportRespondent: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                respondentId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportRespondentResponse"];
                };
            };
        };
    };
    importRespondents: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["ImportRespondentsUpload"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportRespondentsResponse"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportRespondentsResponse"];
                };
            };
        };
    };
    listWaves: {
        parameters: {
            query?: {
                workspace_id?: number;
                survey_id?: number;
                wave_status?: "scheduled" | "active" | "ended";
                limit?: number;
                cursor?: string;
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListWavesResponse"];
                };
            };
        };
    };
    createWave: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWaveRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateWaveResponse"];
                };
            };
        };
    };
    countWaves: {
        parameters: {
            query?: {
                workspace_id?: number;
                survey_id?: number;
                wave_status?: "scheduled" | "active" | "ended";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CountWavesResponse"];
                };
            };
        };
    };
    listActiveWavesBySurvey: {
        parameters: {
            query?: {
                workspace_id?: number;
                survey_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListActiveWavesBySurveyResponse"];
                };
            };
        };
    };
    listWaveProgress: {
        parameters: {
            query?: {
                workspace_id?: number;
                survey_id?: number;
                limit?: number;
                cursor?: string;
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListWaveProgressResponse"];
                };
            };
        };
    };
    listQuotaRules: {
        parameters: {
            query?: {
                workspace_id?: number;
                survey_id?: number;
                wave_id?: number;
                limit?: number;
                cursor?: string;
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListQuotaRulesResponse"];
                };
            };
        };
    };
    getWaveQuotas: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetWaveQuotasResponse"];
                };
            };
        };
    };
    setWaveQuotas: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetWaveQuotasRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetWaveQuotasResponse"];
                };
            };
        };
    };
    getWave: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetWaveResponse"];
                };
            };
        };
    };
    updateWave: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateWaveRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateWaveResponse"];
                };
            };
        };
    };
    deleteWave: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listOutbox: {
        parameters: {
            query?: {
                workspace_id?: number;
                survey_id?: number;
                email?: string;
                limit?: number;
                cursor?: string;
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListOutboxResponse"];
                };
            };
        };
    };
    getGrid: {
        parameters: {
            query?: {
                workspace_id?: number;
                status?: string;
                filter?: string;
                filters?: string;
                include_test?: boolean;
                quality?: "exclude_confirmed" | "include_all";
                updated_since?: string;
                include_deleted?: boolean;
                include_not_shown?: boolean;
                columns?: string;
                sort?: string;
                limit?: number;
                cursor?: string;
                page?: number;
            };
            header?: never;
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetGridResponse"];
                };
            };
        };
    };
    addResponses: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddResponsesRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddResponsesResponse"];
                };
            };
        };
    };
    editResponse: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                surveyId: number;
                responseId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EditResponseRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EditResponseResponse"];
                };
            };
        };
    };
    editResponses: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EditResponsesRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EditResponsesResponse"];
                };
            };
        };
    };
    eraseResponse: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                surveyId: number;
                responseId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EraseResponseResponse"];
                };
            };
        };
    };
    changeResponses: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeResponsesRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeResponsesResponse"];
                };
            };
        };
    };
    findAndReplace: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FindAndReplaceRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FindAndReplaceResponse"];
                };
            };
        };
    };
    restoreOriginals: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RestoreOriginalsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestoreOriginalsResponse"];
                };
            };
        };
    };
    listDataChanges: {
        parameters: {
            query?: {
                workspace_id?: number;
                limit?: number;
                cursor?: string;
                page?: number;
            };
            header?: never;
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListDataChangesResponse"];
                };
            };
        };
    };
    listChangedRows: {
        parameters: {
            query?: {
                workspace_id?: number;
                limit?: number;
                cursor?: string;
                page?: number;
            };
            header?: never;
            path: {
                surveyId: number;
                changeId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListChangedRowsResponse"];
                };
            };
        };
    };
    undoDataChange: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                surveyId: number;
                changeId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UndoDataChangeResponse"];
                };
            };
        };
    };
    checkQuality: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CheckQualityRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckQualityResponse"];
                };
            };
        };
    };
    getQuality: {
        parameters: {
            query?: {
                workspace_id?: number;
                status?: string;
                filter?: string;
                filters?: string;
                include_test?: boolean;
                quality?: "exclude_confirmed" | "include_all";
            };
            header?: never;
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetQualityResponse"];
                };
            };
        };
    };
    reviewQualityFlags: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReviewQualityFlagsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewQualityFlagsResponse"];
                };
            };
        };
    };
    listComments: {
        parameters: {
            query?: {
                workspace_id?: number;
                response_id?: number;
                limit?: number;
                cursor?: string;
                page?: number;
            };
            header?: never;
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListCommentsResponse"];
                };
            };
        };
    };
    addComment: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddCommentRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddCommentResponse"];
                };
            };
        };
    };
    deleteComment: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                surveyId: number;
                commentId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listResponseFiles: {
        parameters: {
            query?: {
                workspace_id?: number;
                status?: string;
                include_test?: boolean;
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListResponseFilesResponse"];
                };
            };
        };
    };
    downloadResponseFiles: {
        parameters: {
            query?: {
                workspace_id?: number;
                status?: string;
                filter?: string;
                filters?: string;
                include_test?: boolean;
                quality?: "exclude_confirmed" | "include_all";
            };
            header?: never;
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                };
            };
        };
    };
    downloadResponseFile: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                surveyId: number;
                fileId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
        };
    };
    exportResponses: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                Prefer?: string;
            };
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ExportResponsesRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                    "application/x-spss-sav": string;
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobStartedResponse"];
                };
            };
        };
    };
    importResponses: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["ImportResponsesUpload"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportResponsesResponse"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportResponsesResponse"];
                };
            };
        };
    };
    seedResponses: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SeedResponsesRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SeedResponsesResponse"];
                };
            };
        };
    };
    deleteSeededResponses: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getResponseStats: {
        parameters: {
            query?: {
                workspace_id?: number;
                filter?: string;
                filters?: string;
                include_test?: boolean;
                quality?: "exclude_confirmed" | "include_all";
            };
            header?: never;
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetResponseStatsResponse"];
                };
            };
        };
    };
    getDistribution: {
        parameters: {
            query?: {
                workspace_id?: number;
                status?: string;
                filter?: string;
                filters?: string;
                include_test?: boolean;
                quality?: "exclude_confirmed" | "include_all";
                weight?: string;
                weight_column?: string;
                base?: "answering" | "shown" | "all";
                max_groups?: number;
                intervals?: boolean;
                level?: number;
                design?: boolean;
                share_method?: "wilson" | "logit" | "beta";
                quantile_rule?: "hmisc" | "hf7" | "math";
            };
            header?: never;
            path: {
                surveyId: number;
                columnCode: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetDistributionResponse"];
                };
            };
        };
    };
    getQuestionData: {
        parameters: {
            query?: {
                workspace_id?: number;
                status?: string;
                filter?: string;
                filters?: string;
                include_test?: boolean;
                quality?: "exclude_confirmed" | "include_all";
                weight?: string;
                weight_column?: string;
                base?: "answering" | "shown" | "all";
                max_groups?: number;
                intervals?: boolean;
                level?: number;
                design?: boolean;
                share_method?: "wilson" | "logit" | "beta";
                quantile_rule?: "hmisc" | "hf7" | "math";
                table_column?: string;
            };
            header?: never;
            path: {
                surveyId: number;
                questionId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetQuestionDataResponse"];
                };
            };
        };
    };
    crosstabResponses: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CrosstabResponsesRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CrosstabResponsesResponse"];
                };
            };
        };
    };
    correlateResponses: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CorrelateResponsesRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CorrelateResponsesResponse"];
                };
            };
        };
    };
    computeReliability: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ComputeReliabilityRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ComputeReliabilityResponse"];
                };
            };
        };
    };
    recodeColumns: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecodeColumnsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecodeColumnsResponse"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecodeColumnsResponse"];
                };
            };
        };
    };
    normalizeColumns: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NormalizeColumnsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NormalizeColumnsResponse"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NormalizeColumnsResponse"];
                };
            };
        };
    };
    standardizeColumns: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StandardizeColumnsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StandardizeColumnsResponse"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StandardizeColumnsResponse"];
                };
            };
        };
    };
    winsorizeColumns: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WinsorizeColumnsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WinsorizeColumnsResponse"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WinsorizeColumnsResponse"];
                };
            };
        };
    };
    binColumns: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BinColumnsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BinColumnsResponse"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BinColumnsResponse"];
                };
            };
        };
    };
    cleanTexts: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CleanTextsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CleanTextsResponse"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CleanTextsResponse"];
                };
            };
        };
    };
    addComputedColumn: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddComputedColumnRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddComputedColumnResponse"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddComputedColumnResponse"];
                };
            };
        };
    };
    listDerivedColumns: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListDerivedColumnsResponse"];
                };
            };
        };
    };
    getDerivedColumn: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                surveyId: number;
                columnCode: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetDerivedColumnResponse"];
                };
            };
        };
    };
    deleteDerivedColumn: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                surveyId: number;
                columnCode: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    changeDerivedColumn: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                surveyId: number;
                columnCode: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeDerivedColumnRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeDerivedColumnResponse"];
                };
            };
        };
    };
    previewWeighting: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewWeightingRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewWeightingResponse"];
                };
            };
        };
    };
    createWeighting: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWeightingRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateWeightingResponse"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateWeightingResponse"];
                };
            };
        };
    };
    listWeights: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListWeightsResponse"];
                };
            };
        };
    };
    getWeight: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                surveyId: number;
                columnCode: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetWeightResponse"];
                };
            };
        };
    };
    refreshWeight: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                surveyId: number;
                columnCode: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RefreshWeightRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefreshWeightResponse"];
                };
            };
        };
    };
    listDashboards: {
        parameters: {
            query?: {
                workspace_id?: number;
                search?: string;
                deleted?: true;
                limit?: number;
                cursor?: string;
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListDashboardsResponse"];
                };
            };
        };
    };
    createDashboard: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateDashboardRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateDashboardResponse"];
                };
            };
        };
    };
    checkDashboardSlug: {
        parameters: {
            query: {
                slug: string;
                workspace_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckDashboardSlugResponse"];
                };
            };
        };
    };
    getDashboard: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetDashboardResponse"];
                };
            };
        };
    };
    updateDashboard: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateDashboardRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateDashboardResponse"];
                };
            };
        };
    };
    deleteDashboard: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    restoreDashboard: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestoreDashboardResponse"];
                };
            };
        };
    };
    duplicateDashboard: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DuplicateDashboardRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DuplicateDashboardResponse"];
                };
            };
        };
    };
    createDashboardPage: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateDashboardPageRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateDashboardPageResponse"];
                };
            };
        };
    };
    reorderDashboardPages: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReorderDashboardPagesRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReorderDashboardPagesResponse"];
                };
            };
        };
    };
    updateDashboardPage: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                id: number;
                pageId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateDashboardPageRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateDashboardPageResponse"];
                };
            };
        };
    };
    deleteDashboardPage: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                id: number;
                pageId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    createDashboardChart: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewDashboardChart"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateDashboardChartResponse"];
                };
            };
        };
    };
    reorderDashboardCharts: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReorderDashboardChartsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReorderDashboardChartsResponse"];
                };
            };
        };
    };
    updateDashboardChart: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                id: number;
                chartId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateDashboardChartRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateDashboardChartResponse"];
                };
            };
        };
    };
    deleteDashboardChart: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                id: number;
                chartId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getChartData: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChartQuery"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetChartDataResponse"];
                };
            };
        };
    };
    getChartDataBatch: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GetChartDataBatchRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetChartDataBatchResponse"];
                };
            };
        };
    };
    listDashboardShares: {
        parameters: {
            query?: {
                workspace_id?: number;
                limit?: number;
                cursor?: string;
                page?: number;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListDashboardSharesResponse"];
                };
            };
        };
    };
    createDashboardShare: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateDashboardShareRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateDashboardShareResponse"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateDashboardShareResponse"];
                };
            };
        };
    };
    deleteDashboardShare: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                id: number;
                shareId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getPublicDashboard: {
        parameters: {
            query?: {
                figures?: boolean;
                filters?: string;
            };
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                orgSlug: string;
                dashboardSlug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetPublicDashboardResponse"];
                };
            };
        };
    };
    unlockPublicDashboard: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgSlug: string;
                dashboardSlug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UnlockPublicDashboardRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnlockPublicDashboardResponse"];
                };
            };
        };
    };
    getPublicChartData: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgSlug: string;
                dashboardSlug: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["GetPublicChartDataRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetPublicChartDataResponse"];
                };
            };
        };
    };
    getPublicChartDataBatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgSlug: string;
                dashboardSlug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GetPublicChartDataBatchRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetPublicChartDataBatchResponse"];
                };
            };
        };
    };
    listReports: {
        parameters: {
            query?: {
                workspace_id?: number;
                search?: string;
                deleted?: true;
                limit?: number;
                cursor?: string;
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListReportsResponse"];
                };
            };
        };
    };
    createReport: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateReportRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateReportResponse"];
                };
            };
        };
    };
    getReport: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                reportId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetReportResponse"];
                };
            };
        };
    };
    updateReport: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                reportId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateReportRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateReportResponse"];
                };
            };
        };
    };
    deleteReport: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                reportId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    restoreReport: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                reportId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestoreReportResponse"];
                };
            };
        };
    };
    duplicateReport: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                reportId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DuplicateReportRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DuplicateReportResponse"];
                };
            };
        };
    };
    createReportFromDashboard: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateReportFromDashboardRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateReportFromDashboardResponse"];
                };
            };
        };
    };
    previewReport: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                reportId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewReportResponse"];
                };
            };
        };
    };
    createReportSlide: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                reportId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NewReportSlide"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateReportSlideResponse"];
                };
            };
        };
    };
    reorderReportSlides: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                reportId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReorderReportSlidesRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReorderReportSlidesResponse"];
                };
            };
        };
    };
    updateReportSlide: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                reportId: number;
                slideId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateReportSlideRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateReportSlideResponse"];
                };
            };
        };
    };
    deleteReportSlide: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                reportId: number;
                slideId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    duplicateReportSlide: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                reportId: number;
                slideId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DuplicateReportSlideResponse"];
                };
            };
        };
    };
    listReportImages: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                reportId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListReportImagesResponse"];
                };
            };
        };
    };
    addReportImage: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                reportId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["AddReportImageUpload"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddReportImageResponse"];
                };
            };
        };
    };
    getReportImage: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                reportId: number;
                imageId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                    "image/jpeg": string;
                };
            };
        };
    };
    deleteReportImage: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                reportId: number;
                imageId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    exportReportPdf: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                Prefer?: string;
            };
            path: {
                reportId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobStartedResponse"];
                };
            };
        };
    };
    exportReportPptx: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                Prefer?: string;
            };
            path: {
                reportId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.openxmlformats-officedocument.presentationml.presentation": string;
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobStartedResponse"];
                };
            };
        };
    };
    listChatSessions: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListChatSessionsResponse"];
                };
            };
        };
    };
    createChatSession: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateChatSessionRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateChatSessionResponse"];
                };
            };
        };
    };
    getChatSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetChatSessionResponse"];
                };
            };
        };
    };
    deleteChatSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    chat: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChatRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["ChatEvent"];
                };
            };
        };
    };
    analyzeSentiment: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                Prefer?: string;
            };
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnalyzeSentimentRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnalyzeSentimentResponse"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobStartedResponse"];
                };
            };
        };
    };
    findThemes: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                Prefer?: string;
            };
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FindThemesRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FindThemesResponse"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobStartedResponse"];
                };
            };
        };
    };
    classifyTexts: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                Prefer?: string;
            };
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClassifyTextsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClassifyTextsResponse"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobStartedResponse"];
                };
            };
        };
    };
    suggestCategories: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                Prefer?: string;
            };
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SuggestCategoriesRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuggestCategoriesResponse"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobStartedResponse"];
                };
            };
        };
    };
    summarizeTexts: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                Prefer?: string;
            };
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SummarizeTextsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SummarizeTextsResponse"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobStartedResponse"];
                };
            };
        };
    };
    translateTexts: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: {
                Prefer?: string;
            };
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TranslateTextsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TranslateTextsResponse"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobStartedResponse"];
                };
            };
        };
    };
    findInsights: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FindInsightsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FindInsightsResponse"];
                };
            };
        };
    };
    findAnomalies: {
        parameters: {
            query?: {
                workspace_id?: number;
            };
            header?: never;
            path: {
                surveyId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FindAnomaliesRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FindAnomaliesResponse"];
                };
            };
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetMeResponse"];
                };
            };
        };
    };
    listUsers: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                page?: number;
                search?: string;
                user_status?: 0 | 1 | 2 | 3;
                user_role?: "superadmin" | "admin" | "member" | "client";
                sort?: "user_id" | "-user_id" | "user_name" | "-user_name" | "user_email" | "-user_email" | "last_login_at" | "-last_login_at";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListUsersResponse"];
                };
            };
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateUserRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateUserResponse"];
                };
            };
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetUserResponse"];
                };
            };
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateUserRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateUserResponse"];
                };
            };
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    approveUser: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApproveUserResponse"];
                };
            };
        };
    };
    rejectUser: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RejectUserResponse"];
                };
            };
        };
    };
    suspendUser: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SuspendUserRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuspendUserResponse"];
                };
            };
        };
    };
    reactivateUser: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReactivateUserResponse"];
                };
            };
        };
    };
    setUserAiAccess: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetUserAiAccessRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetUserAiAccessResponse"];
                };
            };
        };
    };
    sendPasswordLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendPasswordLinkRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendPasswordLinkResponse"];
                };
            };
        };
    };
    confirmUserEmail: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConfirmUserEmailResponse"];
                };
            };
        };
    };
    listUserDashboards: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                page?: number;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListUserDashboardsResponse"];
                };
            };
        };
    };
    setUserDashboards: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetUserDashboardsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetUserDashboardsResponse"];
                };
            };
        };
    };
    getUserAvatar: {
        parameters: {
            query?: {
                v?: string;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": string;
                };
            };
        };
    };
    setUserAvatar: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["SetUserAvatarUpload"];
                "application/json": components["schemas"]["SetUserAvatarRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetUserAvatarResponse"];
                };
            };
        };
    };
    deleteUserAvatar: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listGroups: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                page?: number;
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListGroupsResponse"];
                };
            };
        };
    };
    createGroup: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateGroupRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateGroupResponse"];
                };
            };
        };
    };
    updateGroup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                groupId: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateGroupRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateGroupResponse"];
                };
            };
        };
    };
    deleteGroup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                groupId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listGroupMembers: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                page?: number;
            };
            header?: never;
            path: {
                groupId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListGroupMembersResponse"];
                };
            };
        };
    };
    addGroupMembers: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                groupId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddGroupMembersRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddGroupMembersResponse"];
                };
            };
        };
    };
    removeGroupMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                groupId: number;
                userId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listGroupDashboards: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                page?: number;
            };
            header?: never;
            path: {
                groupId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListGroupDashboardsResponse"];
                };
            };
        };
    };
    setGroupDashboards: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                groupId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetGroupDashboardsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetGroupDashboardsResponse"];
                };
            };
        };
    };
    listInviteLinks: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListInviteLinksResponse"];
                };
            };
        };
    };
    createInviteLink: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateInviteLinkRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateInviteLinkResponse"];
                };
            };
        };
    };
    revokeInviteLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetOrganizationResponse"];
                };
            };
        };
    };
    updateOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateOrganizationRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateOrganizationResponse"];
                };
            };
        };
    };
    listOrganizations: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListOrganizationsResponse"];
                };
            };
        };
    };
    setCurrentOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetCurrentOrganizationResponse"];
                };
            };
        };
    };
    getInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetInvitationResponse"];
                };
            };
        };
    };
    getCreditBalance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetCreditBalanceResponse"];
                };
            };
        };
    };
    getCreditUsage: {
        parameters: {
            query?: {
                from?: string;
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetCreditUsageResponse"];
                };
            };
        };
    };
    getCreditOffer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetCreditOfferResponse"];
                };
            };
        };
    };
    createCreditsCheckout: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCreditsCheckoutRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateCreditsCheckoutResponse"];
                };
            };
        };
    };
    receiveStripeEvent: {
        parameters: {
            query?: never;
            header: {
                "Stripe-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReceiveStripeEventRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiveStripeEventResponse"];
                };
            };
        };
    };
    listJobs: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListJobsResponse"];
                };
            };
        };
    };
    getJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetJobResponse"];
                };
            };
        };
    };
    cancelJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    watchJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["Job"];
                };
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    downloadJobFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
        };
    };
    listAuditEntries: {
        parameters: {
            query?: {
                user_id?: number;
                action?: string;
                object_type?: string;
                object_id?: string;
                from?: string;
                to?: string;
                limit?: number;
                cursor?: string;
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListAuditEntriesResponse"];
                };
            };
        };
    };
    undoMove: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                auditId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UndoMoveResponse"];
                };
            };
        };
    };
    health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthResponse"];
                };
            };
        };
    };
}
